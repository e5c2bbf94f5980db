//! What an address of the internet protocol reaches.
//!
//! The ranges are those of the special-purpose registries of IANA (RFC 6890 and its updates).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Public,
    Loopback,
    Private,
    LinkLocal,
    /// Tells machines in a cloud their own credentials.
    Metadata,
    Reserved,
}

impl Reach {
    /// Whether it may be reached; `private` allows the own machine and network.
    pub(super) const fn is_allowed(self, private: bool) -> bool {
        match self {
            Self::Public => true,
            Self::Loopback | Self::Private | Self::LinkLocal => private,
            Self::Metadata | Self::Reserved => false,
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::LinkLocal => "link-local",
            Self::Metadata => "metadata",
            Self::Reserved => "reserved",
        }
    }

    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Loopback => "this machine",
            Self::Private => "an address of the own network",
            Self::LinkLocal => "an address of the own wire",
            Self::Metadata => "a service that gives out credentials of this machine",
            Self::Reserved => "an address that no server on the internet has",
        }
    }
}

pub(super) fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Reach {
    // Of Azure, Alibaba and Oracle; those of the others are link-local.
    const METADATA: [[u8; 4]; 3] = [[168, 63, 129, 16], [100, 100, 100, 200], [192, 0, 0, 192]];
    let octets = address.octets();
    if METADATA.contains(&octets) {
        return Reach::Metadata;
    }
    match octets {
        [169, 254, ..] => Reach::Metadata,
        // The own host; systems take it for the loopback address.
        [0 | 127, ..] => Reach::Loopback,
        [10, ..] | [192, 168, ..] | [172, 16..=31, ..] | [100, 64..=127, ..] => Reach::Private,
        [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [224..=255, ..] => Reach::Reserved,
        _ => Reach::Public,
    }
}

fn v6(address: Ipv6Addr) -> Reach {
    let parts = address.segments();
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254] => Reach::Metadata,
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Reach::Loopback,
        // An address of version 4 in one of version 6: mapped, translated (RFC 6052), 6to4 (RFC 3056).
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => inner(high, low),
        // Also an address of version 4, in forms that nobody has any more: none of them is public.
        [0, 0, 0, 0, 0 | 0xffff, 0, high, low] => not_public(inner(high, low)),
        // The local form of translation.
        [0x64, 0xff9b, 1, ..] => not_public(inner(parts[6], parts[7])).at_least_private(),
        // ISATAP (RFC 5214) holds one too.
        [.., 0x0000 | 0x0200, 0x5efe, high, low] if inner(high, low) != Reach::Public => {
            inner(high, low)
        }
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => Reach::Private,
        [0xfe80..=0xfebf, ..] => Reach::LinkLocal,
        // Documentation, and the protocol assignments of which Teredo is one.
        [0x2001, 0x0db8 | 0..=0x01ff, ..] | [0x3fff, 0..=0x0fff, ..] => Reach::Reserved,
        [0x2000..=0x3fff, ..] => Reach::Public,
        _ => Reach::Reserved,
    }
}

const fn not_public(reach: Reach) -> Reach {
    match reach {
        Reach::Public => Reach::Reserved,
        other => other,
    }
}

impl Reach {
    const fn at_least_private(self) -> Self {
        match self {
            Self::Metadata => Self::Metadata,
            _ => Self::Private,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_address_is_told_by_what_it_reaches() {
        let rows = [
            ("8.8.8.8", Reach::Public),
            ("172.32.0.1", Reach::Public),
            ("100.128.0.1", Reach::Public),
            ("192.0.1.1", Reach::Public),
            ("2606:4700::1", Reach::Public),
            ("2001:200::1", Reach::Public),
            ("64:ff9b::808:808", Reach::Public),
            ("2002:808:808::1", Reach::Public),
            ("::ffff:8.8.8.8", Reach::Public),
            ("127.0.0.1", Reach::Loopback),
            ("0.1.2.3", Reach::Loopback),
            ("::", Reach::Loopback),
            ("::ffff:127.0.0.1", Reach::Loopback),
            ("::127.0.0.1", Reach::Loopback),
            ("64:ff9b::7f00:1", Reach::Loopback),
            ("2002:7f00:1::", Reach::Loopback),
            ("::ffff:0:127.0.0.1", Reach::Loopback),
            ("10.0.0.1", Reach::Private),
            ("172.16.0.1", Reach::Private),
            ("172.31.255.255", Reach::Private),
            ("100.64.0.1", Reach::Private),
            ("fc00::1", Reach::Private),
            ("fec0::1", Reach::Private),
            ("64:ff9b:1::8.8.8.8", Reach::Private),
            ("2001:470::5efe:10.0.0.1", Reach::Private),
            ("fe80::1", Reach::LinkLocal),
            ("febf::1", Reach::LinkLocal),
            ("169.254.1.1", Reach::Metadata),
            ("100.100.100.200", Reach::Metadata),
            ("168.63.129.16", Reach::Metadata),
            ("fd00:ec2::254", Reach::Metadata),
            ("64:ff9b::a9fe:a9fe", Reach::Metadata),
            ("64:ff9b:1::169.254.169.254", Reach::Metadata),
            ("2002:a9fe:a9fe::", Reach::Metadata),
            ("::8.8.8.8", Reach::Reserved),
            ("192.0.0.8", Reach::Reserved),
            ("192.88.99.1", Reach::Reserved),
            ("198.18.0.1", Reach::Reserved),
            ("198.51.100.1", Reach::Reserved),
            ("203.0.113.1", Reach::Reserved),
            ("239.1.1.1", Reach::Reserved),
            ("255.255.255.255", Reach::Reserved),
            ("ff02::1", Reach::Reserved),
            ("2001::1", Reach::Reserved),
            ("2001:db8::1", Reach::Reserved),
            ("3fff::1", Reach::Reserved),
            ("100::1", Reach::Reserved),
            ("4000::1", Reach::Reserved),
        ];
        for (text, expected) in rows {
            assert_eq!(reach(text.parse().unwrap()), expected, "{text}");
        }
    }
}
