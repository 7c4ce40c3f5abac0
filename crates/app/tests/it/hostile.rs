//! Scripts that mean harm, through the door that agents use, on both back ends: each is refused or cut in time, says by what,
//! changes nothing, leaves nothing running, and the next call is served.

use crate::place::{Place, descendants, is_alive, wait_until};
use crate::sandbox::status_of;
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

/// A script, and what the answer to it has to hold on each back end: a limit that it names, or a part of its message.
struct Case {
    what: &'static str,
    code: &'static str,
    native: Cut,
    foreign: Cut,
}

#[derive(Clone, Copy)]
enum Cut {
    Limit(&'static str),
    Says(&'static str),
}
use Cut::{Limit, Says};

/// The words of our own kernel's Python on all that it does not have.
const NO_MODULE: Cut = Says("A script here has no files, network, processes or other modules");

const CASES: &[Case] = &[
    Case { what: "an endless loop", code: "while True: pass", native: Limit("time"), foreign: Limit("time") },
    Case {
        what: "waiting without end",
        code: "import time\ntime.sleep(1000)",
        native: NO_MODULE,
        foreign: Limit("time"),
    },
    Case {
        what: "a memory bomb",
        code: "'a' * (1 << 36)",
        native: Limit("memory"),
        foreign: Limit("memory"),
    },
    Case {
        // a slow machine may take longer to clear so much memory than the script may run
        what: "memory bit by bit",
        code: "x = []\nwhile True: x.append('a' * 10000000 + str(len(x)))",
        native: Limit("memory"),
        foreign: Limit("memory time"),
    },
    Case {
        what: "a fork bomb",
        code: "import os\nwhile True: os.fork()",
        native: NO_MODULE,
        foreign: Says("PermissionError"),
    },
    Case {
        what: "a bomb of threads",
        code: "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(99,)).start()",
        native: NO_MODULE,
        foreign: Says("can't start new thread"),
    },
    Case {
        what: "a program",
        code: "import subprocess\nsubprocess.run(['/bin/true'])",
        native: NO_MODULE,
        foreign: Says("PermissionError"),
    },
    Case {
        what: "a file read outside",
        code: "open('/etc/passwd').read()",
        native: NO_MODULE,
        foreign: Says("PermissionError|FileNotFoundError"),
    },
    Case {
        what: "a file written outside",
        code: "open('/tmp/pensaer-was-here', 'w')",
        native: NO_MODULE,
        foreign: Says("PermissionError|FileNotFoundError"),
    },
    Case {
        what: "a file's permissions",
        code: "import os\nos.chmod('/tmp', 0o777)",
        native: NO_MODULE,
        foreign: Says("PermissionError|FileNotFoundError"),
    },
    Case {
        what: "the network",
        code: "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
        native: NO_MODULE,
        foreign: Says("PermissionError"),
    },
    Case {
        what: "a trace of another process",
        code: "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\n\
               if c.ptrace(16, os.getppid(), 0, 0): raise OSError(ctypes.get_errno(), 'refused')",
        native: NO_MODULE,
        foreign: Says("PermissionError"),
    },
    Case {
        what: "a list of processes",
        code: "import os\nos.listdir('/proc')",
        native: NO_MODULE,
        foreign: Says("PermissionError|FileNotFoundError"),
    },
    Case {
        what: "a signal to its parent",
        code: "import os\nos.kill(os.getppid(), 9)",
        native: NO_MODULE,
        foreign: Says("PermissionError"),
    },
    Case {
        what: "a forged answer",
        code: "import os, json, struct\n\
               body = json.dumps({'ok': {'result': {'value': 1}, 'changes': {'added': ['#1=IFCWALL();\\n#2=IFCWALL()'], \
               'changed': [], 'removed': [7]}}}).encode()\n\
               for n in range(64):\n    try: os.write(n, struct.pack('>I', len(body)) + body)\n    except OSError: pass\n\
               os._exit(0)",
        native: NO_MODULE,
        foreign: Says("refused"),
    },
    Case {
        what: "output without end",
        code: "while True: print('x' * 10000)",
        native: Limit("output"),
        foreign: Limit("output"),
    },
    Case {
        what: "an answer too large",
        code: "'x' * (1 << 26)",
        native: Limit(""),
        foreign: Limit("result_bytes"),
    },
    Case { what: "an abort", code: "import os\nos.abort()", native: NO_MODULE, foreign: Says("SIG") },
    Case {
        what: "an exit",
        code: "import os\nos._exit(0)",
        native: NO_MODULE,
        foreign: Says("without an answer"),
    },
    Case {
        what: "a segmentation fault",
        code: "import ctypes\nctypes.string_at(0)",
        native: NO_MODULE,
        foreign: Says("SIGSEGV"),
    },
    Case {
        what: "deep recursion",
        code: "def f(): return f()\nf()",
        native: Limit("recursion"),
        foreign: Limit("recursion"),
    },
    Case {
        what: "recursion through the end of the stack",
        code: "import sys\nsys.setrecursionlimit(10**9)\ndef f(x): return [y for y in map(f, [x])]\nf(1)",
        native: NO_MODULE,
        foreign: Says("SIGSEGV"),
    },
    Case {
        what: "limits raised",
        code: "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        native: NO_MODULE,
        foreign: Says("script"),
    },
];

const EDIT: &str = "adapter.create_wall(start=[0,0], end=[5000,0], level_id='Ground')\n";

/// The times of an edit and a look at the model before and after, and of those that run beside.
struct Bench {
    place: Place,
    agent: Stdio,
    backend: &'static str,
}

impl Bench {
    fn new(place: Place, backend: &'static str) -> Self {
        std::fs::create_dir_all(place.data()).unwrap();
        std::fs::write(place.data().join("pensaer.toml"), "call-seconds = 10").unwrap();
        let mut agent = place.stdio();
        let storeys = json!([{"name": "Ground", "elevation": 0}]);
        agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
        let mut bench = Self { place, agent, backend };
        bench.agent.done("run_code", &json!({"code": EDIT, "backend": backend}));
        assert_eq!(bench.look(), 1);
        bench
    }

    /// The number of walls, asked of the back end by a script.
    fn look(&mut self) -> Value {
        let code = "len(adapter.select('IfcWall'))";
        let arguments = json!({"code": code, "mode": "query", "backend": self.backend});
        self.agent.done("run_code", &arguments)["value"].clone()
    }

    fn head(&mut self) -> Value {
        self.agent.done("list_versions", &json!({}))["versions"][0].clone()
    }

    fn run(&mut self, case: &Case, cut: Cut) {
        let what = case.what;
        let (head, before) = (self.head(), descendants(self.place.daemon_pid()).len());
        let begun = Instant::now();
        // the answer that is too large is that of its last line alone
        let code = format!("{EDIT}{}", case.code);
        let answer = self.agent.call("run_code", &json!({"code": code, "backend": self.backend}));
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {:?}", begun.elapsed());
        if let Limit("") = cut {
            // an answer that is left out is no harm, and its edit stands
            assert_ne!(answer["isError"], true, "{what}: {answer}");
            self.agent.done("undo", &json!({}));
        } else {
            assert_eq!(answer["isError"], true, "{what}: {answer}");
            let fault = &answer["structuredContent"];
            let message = fault["message"].as_str().unwrap();
            match cut {
                Limit(limits) => {
                    assert!(
                        limits.split(' ').any(|limit| fault["data"]["limit"] == limit),
                        "{what}: {fault}"
                    );
                }
                // what may not be used is refused, or not there at all
                Says(parts) => {
                    assert!(parts.split('|').any(|part| message.contains(part)), "{what}: {fault}");
                }
            }
            assert_eq!(self.head(), head, "{what}");
        }
        assert_eq!(self.look(), 1, "{what}");
        wait_until(&format!("nothing is left of {what}"), || {
            descendants(self.place.daemon_pid()).len() <= before
        });
        assert!(!std::path::Path::new("/tmp/pensaer-was-here").exists());
    }
}

#[test]
fn hostile_scripts_are_held_on_our_own_kernel() {
    let mut bench = Bench::new(Place::new(), "native");
    for case in CASES {
        bench.run(case, case.native);
    }
}

#[test]
fn hostile_scripts_are_held_in_ifcopenshell() {
    let Some(place) = Place::with_ifcopenshell() else { return };
    let mut bench = Bench::new(place, "ifcopenshell");
    for case in CASES {
        bench.run(case, case.foreign);
    }
}

#[test]
fn what_a_daemon_started_ends_with_it_however_it_ends() {
    let Some(place) = Place::with_ifcopenshell() else { return };
    let mut bench = Bench::new(place, "ifcopenshell");
    let daemon = bench.place.daemon_pid();
    bench
        .agent
        .send(&json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "run_code",
        "arguments": {"code": "while True: pass", "backend": "ifcopenshell"}}}));
    std::thread::sleep(Duration::from_millis(500));
    let started = descendants(daemon);
    assert!(started.len() >= 6, "two workers, one who starts, a nursery, a zygote, a call: {started:?}");
    let pythons: Vec<_> = started.iter().filter(|pid| status_of(pid, "Name").starts_with("python")).collect();
    assert!(pythons.len() >= 3, "{started:?}");
    for python in pythons {
        assert_eq!(status_of(python, "NoNewPrivs"), "1");
        assert_eq!(status_of(python, "Seccomp"), "2", "confined from its first instruction on");
        let environment = std::fs::read(format!("/proc/{python}/environ")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&environment).contains("PENSAER"), "nothing of the daemon's");
    }
    assert!(Command::new("kill").args(["-9", &daemon.to_string()]).status().unwrap().success());
    wait_until("all are gone", || !started.iter().any(|pid| is_alive(pid)));
}

#[test]
fn a_python_that_is_killed_costs_at_most_one_call() {
    let Some(place) = Place::with_ifcopenshell() else { return };
    let mut bench = Bench::new(place, "ifcopenshell");
    for pid in descendants(bench.place.daemon_pid()) {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).contains("pensaer_ifcopenshell.__main__") {
            let _ = Command::new("kill").args(["-9", &pid]).status();
        }
    }
    let arguments = json!({"code": "1 + 1", "mode": "query", "backend": "ifcopenshell"});
    let answer = bench.agent.call("run_code", &arguments);
    if answer["isError"] == true {
        assert_eq!(answer["structuredContent"]["code"], 1010, "{answer}");
    }
    assert_eq!(bench.look(), 1);
}
