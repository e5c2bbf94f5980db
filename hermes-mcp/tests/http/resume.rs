//! Streams that are lost and taken up again.

use serde_json::json;

use crate::site::Site;
use crate::wire::Client;

#[tokio::test]
async fn an_answer_is_read_on_another_stream_when_the_first_is_lost() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut lost = client.start(1, "wait", &json!({})).await;
    let first = lost.event().await.unwrap();
    site.shared.until_begun(1).await;
    drop(lost);
    let again = client.clone().with("Last-Event-ID", &*first.id);
    let mut stream = again.request("GET", "").await;
    assert_eq!(stream.status, 200);
    site.shared.go.add_permits(1);
    let answer = stream.message().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
    assert_eq!(stream.event().await, None);
}

#[tokio::test]
async fn an_answer_that_came_while_nobody_read_is_kept() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut lost = client.start(1, "wait", &json!({})).await;
    let first = lost.event().await.unwrap();
    site.shared.until_begun(1).await;
    drop(lost);
    site.shared.go.add_permits(1);
    site.shared.until_stopped(1).await;
    assert_eq!(client.call(2, "which").await, "1");
    let again = client.clone().with("Last-Event-ID", &*first.id);
    let answer = again.request("GET", "").await.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
}

#[tokio::test]
async fn a_stream_is_taken_up_behind_the_last_event_and_by_its_own_session_alone() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut whole = client.start(1, "which", &json!({})).await;
    let first = whole.event().await.unwrap();
    let second = whole.event().await.unwrap();
    assert_eq!(whole.event().await, None);
    let resume = |client: &Client, id: &str| client.clone().with("Last-Event-ID", id);
    let mut behind_first = resume(&client, &first.id).request("GET", "").await;
    assert_eq!(behind_first.event().await.as_ref(), Some(&second));
    assert_eq!(behind_first.event().await, None);
    let mut at_end = resume(&client, &second.id).request("GET", "").await;
    assert_eq!(at_end.event().await, None);
    let other = Client::open(site.address).await;
    for (client, id) in [(&client, "999"), (&client, "what?"), (&other, &*second.id)] {
        let mut unknown = resume(client, id).request("GET", "").await;
        assert_eq!(unknown.status, 400, "{id}");
        assert_eq!(
            unknown.refusal().await,
            (
                -32000,
                "the event of `Last-Event-ID` is none of this session, or so old that it is not kept any more; \
                 open a stream without that header, and ask again for what was missed"
                    .to_owned()
            )
        );
    }
}
