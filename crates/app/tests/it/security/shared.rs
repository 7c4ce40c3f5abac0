//! The same attacks on a server as a firm has it: its database PostgreSQL, its files in a bucket that speaks S3.

use super::office::{Shares, sharing};
use crate::cluster::Cluster;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

const KEY: &str = "pensaer";
const SECRET: &str = "a secret of tests";

/// A server of buckets, ended with the test.
struct Buckets {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Drop for Buckets {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Buckets {
    fn start() -> Option<Self> {
        let program = testing::bucket_server()?;
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("models")).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &free.to_string()])
            .args(["--access-key", KEY, "--secret-key", SECRET])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = format!("127.0.0.1:{free}");
        crate::place::wait_until("the server of buckets listens", || {
            std::net::TcpStream::connect(&address).is_ok()
        });
        Some(Self { child, address, _folder: folder })
    }
}

#[test]
fn all_of_it_holds_on_postgresql_with_a_bucket() {
    let (Some(cluster), Some(buckets)) = (Cluster::start(), Buckets::start()) else { return };
    let mut number = 0;
    let attacks: [(&str, fn()); 11] = [
        ("gates", super::gates::all_gates_that_hold_up_a_change_are_asked_and_none_opens_another),
        ("rank", super::gates::the_strictest_gate_says_who_decides),
        ("branches", super::gates::who_may_not_delete_deletes_no_branch),
        ("objects", super::objects::an_object_is_taken_away_from_a_model_only_by_those_who_may_delete_there),
        ("tiles", super::objects::a_tile_is_given_out_through_a_model_that_has_it),
        ("sessions", super::sessions::a_session_is_there_for_the_principal_alone_that_opened_it),
        ("streams", super::sessions::streams_end_when_the_key_is_taken_back),
        ("floods", super::floods::a_flood_without_a_key_leaves_two_entries_in_the_audit_log),
        ("keys", super::keys::a_model_of_another_tenant_is_not_there_by_any_door),
        ("approvals", super::approvals::a_yes_cannot_be_forged),
        ("bodies", super::bodies::who_calls_is_decided_before_a_body_is_read_on_every_route),
    ];
    for (name, attack) in attacks {
        number += 1;
        let bucket = format!("s3://models/{number}?endpoint=http://{}&region=us-east-1", buckets.address);
        println!("{name}");
        sharing(
            Shares {
                database: cluster.schema().0,
                more: vec![
                    ("PENSAER_BUCKET_URL", bucket),
                    ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
                    ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
                ],
            },
            attack,
        );
    }
}
