//! Tests on the archives of buildingSMART: read whole, written, valid by the schemas, read again equal.

use crate::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All archives of the suite, with the version that their folder says.
fn cases() -> Option<Vec<(Version, PathBuf)>> {
    let root = testing::data("bcf")?;
    let mut found = Vec::new();
    for (folder, version) in [("v2.0", Version::V2_0), ("v2.1", Version::V2_1), ("v3.0", Version::V3_0)] {
        let mut open = vec![root.join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else if path.extension().is_some_and(|ending| ending == "bcf" || ending == "bcfzip") {
                found.push((version, path));
            }
        }
    }
    found.sort();
    assert_eq!(found.len(), 41, "the suite has 41 archives");
    Some(found)
}

/// The schemas of a version by the kind of file.
struct Schemas(BTreeMap<&'static str, uppsala::XsdValidator>);

impl Schemas {
    fn of_version(version: Version) -> Option<Self> {
        let release = if version == Version::V3_0 { "release_3_0" } else { "release_2_1" };
        let folder = testing::data(&format!("bcf/xsd/{release}/Schemas"))?;
        let all = ["markup", "visinfo", "project", "version", "extensions", "documents"];
        let known = all.into_iter().filter_map(|name| {
            let path = folder.join(format!("{name}.xsd"));
            let text = std::fs::read_to_string(&path).ok()?;
            let schema = uppsala::parse(text.trim_start_matches('\u{feff}')).unwrap();
            Some((name, uppsala::XsdValidator::from_schema_with_base_path(&schema, Some(&path)).unwrap()))
        });
        Some(Self(known.collect()))
    }

    /// The errors in the files of an archive, and the number of files that were looked at.
    fn errors(&self, bytes: &[u8]) -> (Vec<String>, usize) {
        let mut errors = Vec::new();
        let mut count = 0;
        for (name, bytes) in crate::archive::unpack(bytes, &Limits::default()).unwrap() {
            let last = name.rsplit('/').next().unwrap_or_default();
            let kind = match last {
                "markup.bcf" => "markup",
                "project.bcfp" => "project",
                "bcf.version" => "version",
                "extensions.xml" => "extensions",
                "documents.xml" => "documents",
                _ if is_view(last) => "visinfo",
                _ => continue,
            };
            let text = String::from_utf8(bytes).unwrap();
            let found = self.0[kind].validate(&uppsala::parse(&text).unwrap());
            errors.extend(found.into_iter().map(|error| format!("{name}: {error}")));
            count += 1;
        }
        (errors, count)
    }
}

fn is_view(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "bcfv")
}

fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(3).map(|part| part.to_string_lossy().into_owned()).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

fn opened(path: &Path) -> (Version, Archive, Vec<Problem>) {
    read(&std::fs::read(path).unwrap(), &Limits::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// An archive as a version holds it: what is left of it when all else is taken out, and what it asks for is put in.
fn as_held(archive: &Archive, version: Version) -> Archive {
    let mut held = archive.clone();
    held.extensions = Extensions::default();
    for topic in &mut held.topics {
        if version == Version::V3_0 {
            topic.kind.get_or_insert_with(|| "Issue".to_owned());
            topic.status.get_or_insert_with(|| "Open".to_owned());
            topic.documents.iter_mut().for_each(|own| own.guid = None);
        } else {
            topic.server_assigned_id = None;
        }
        let date = "1970-01-01T00:00:00Z";
        let comments = topic.comments.iter_mut().map(|comment| &mut comment.created);
        for stamp in std::iter::once(&mut topic.created).chain(comments) {
            stamp.date.get_or_insert_with(|| date.to_owned());
            stamp.author.get_or_insert_with(|| "unknown".to_owned());
        }
        for viewpoint in &mut topic.viewpoints {
            let Some(camera) = viewpoint.view.as_mut().and_then(|view| view.camera.as_mut()) else {
                continue;
            };
            camera.aspect = None;
            if let Projection::Perspective(angle) = &mut camera.projection
                && version == Version::V2_1
            {
                *angle = angle.clamp(45.0, 60.0);
            }
        }
    }
    if version == Version::V2_1 {
        // documents are known by their names alone, and their GUIDs are made of these
        let mut guids = BTreeMap::new();
        for document in &mut held.documents {
            let made = Guid::made_of(&[document.filename.as_bytes(), &document.bytes]);
            guids.insert(document.guid.clone(), made.clone());
            (document.guid, document.description) = (made, None);
        }
        for own in held.topics.iter_mut().flat_map(|topic| &mut topic.documents) {
            if let Target::Document(guid) = &mut own.target {
                *guid = guids[guid].clone();
            }
        }
    }
    held
}

#[test]
fn every_archive_of_the_suite_is_read_whole() {
    let Some(cases) = cases() else { return };
    let mut told = Vec::new();
    for (version, path) in cases {
        let (own, archive, problems) = opened(&path);
        assert_eq!(own, version, "{}", short(&path));
        assert!(!archive.topics.is_empty(), "{}", short(&path));
        for topic in &archive.topics {
            let comments =
                topic.comments.len() + topic.viewpoints.len() + topic.files.len() + topic.documents.len();
            assert!(topic.title.is_some() && topic.created.date.is_some(), "{} {comments}", short(&path));
        }
        let names: Vec<_> =
            archive.topics.iter().flat_map(|t| &t.attachments).map(|a| a.name.as_str()).collect();
        assert!(!names.iter().any(|name| is_view(name)), "{}: {names:?} are not read", short(&path));
        told.extend(problems.into_iter().map(|problem| format!("{}: {problem}", short(&path))));
    }
    println!("{}", told.join("\n"));
    assert!(told.len() < 20, "{}", told.join("\n"));
}

#[test]
fn what_is_written_is_valid_and_read_again_equal() {
    let Some(cases) = cases() else { return };
    for version in [Version::V2_1, Version::V3_0] {
        let Some(schemas) = Schemas::of_version(version) else { return };
        let mut files = 0;
        for (_, path) in &cases {
            let (_, archive, _) = opened(path);
            let (bytes, problems) = write(&archive, version).unwrap();
            assert_eq!(bytes, write(&archive, version).unwrap().0, "the same bytes each time");
            let (errors, count) = schemas.errors(&bytes);
            assert!(errors.is_empty(), "{} as {version}:\n{}", short(path), errors.join("\n"));
            files += count;
            let (own, again, wrong) = read(&bytes, &Limits::default()).unwrap();
            assert_eq!(own, version);
            assert!(wrong.is_empty(), "{} as {version}: {wrong:?}", short(path));
            assert_eq!(
                as_held(&again, version),
                as_held(&archive, version),
                "{} as {version}: {problems:?}",
                short(path)
            );
        }
        assert!(files > 150, "{files} files of {version} were looked at");
    }
}

/// An archive that has something everywhere.
fn whole() -> Archive {
    let guid = |n: u8| Guid::made_of(&[&[n]]);
    let text = |text: &str| Some(text.to_owned());
    let stamp = Stamp { date: text("2026-01-31T12:00:00.5+01:00"), author: text("a@example.com") };
    let component =
        |n: &str| Component { ifc_guid: Some(format!("{n:0>22}")), system: text("A & B"), id: text("<7>") };
    let camera = |projection| Camera {
        eye: Eye { point: [1.5, -2.0, 1e-7], direction: [0.0, 1.0, 0.0], up: [0.0, 0.0, 1.0] },
        projection,
        aspect: Some(1.5),
    };
    let view = |projection| View {
        components: Some(Components {
            selection: vec![component("1")],
            visibility: Visibility {
                default: true,
                exceptions: vec![component("2")],
                spaces: true,
                ..Visibility::default()
            },
            colouring: vec![Colouring { colour: "FF0000".to_owned(), components: vec![component("3")] }],
        }),
        camera: Some(camera(projection)),
        lines: vec![Line { start: [0.0; 3], end: [1.0; 3] }],
        clipping_planes: vec![ClippingPlane { location: [0.0; 3], direction: [0.0, 0.0, 1.0] }],
        bitmaps: vec![Bitmap {
            format: BitmapFormat::Jpg,
            reference: "b.jpg".to_owned(),
            location: [1.0; 3],
            normal: [0.0, 1.0, 0.0],
            up: [0.0, 0.0, 1.0],
            height: 2.0,
        }],
    };
    let topic = Topic {
        kind: text("Clash"),
        status: text("In Progress"),
        files: vec![HeaderFile {
            project: Some("0".repeat(22)),
            spatial_element: None,
            is_external: true,
            filename: text("a.ifc"),
            date: stamp.date.clone(),
            reference: text("https://example.com/a.ifc"),
        }],
        links: vec!["https://example.com/?a=1&b=2".to_owned()],
        priority: text("High"),
        index: Some(3),
        labels: vec!["Structure".to_owned(), "Ökologie".to_owned()],
        created: stamp.clone(),
        modified: stamp.clone(),
        due: stamp.date.clone(),
        assigned_to: text("b@example.com"),
        stage: text("Tender"),
        description: text("A < B\nand \"C\""),
        snippet: Some(Snippet {
            kind: "JSON".to_owned(),
            is_external: false,
            reference: "a.json".to_owned(),
            schema: "https://json-schema.org".to_owned(),
        }),
        documents: vec![
            DocumentReference {
                guid: Some(guid(1)),
                target: Target::Document(Guid::made_of(&[b"a.pdf", b"%PDF"])),
                description: text("Plan"),
            },
            DocumentReference {
                guid: Some(guid(2)),
                target: Target::Url("https://example.com".to_owned()),
                description: None,
            },
        ],
        related: vec![guid(3)],
        comments: vec![Comment {
            guid: guid(4),
            created: stamp.clone(),
            modified: stamp,
            text: text("Why?"),
            viewpoint: Some(guid(5)),
        }],
        viewpoints: vec![
            Viewpoint {
                guid: guid(5),
                index: Some(0),
                snapshot: Some(b"\x89PNG\r\n\x1a\n".to_vec()),
                view: Some(view(Projection::Perspective(50.0))),
            },
            Viewpoint {
                guid: guid(6),
                index: Some(1),
                snapshot: Some(vec![0xFF, 0xD8]),
                view: Some(view(Projection::Orthogonal(20.0))),
            },
        ],
        attachments: vec![
            Attachment { name: "a.json".to_owned(), bytes: b"{}".to_vec() },
            Attachment { name: "b.jpg".to_owned(), bytes: vec![0xFF, 0xD8] },
        ],
        ..Topic::new(guid(0), "Pipe through beam")
    };
    Archive {
        project: Some(Project { id: guid(9).to_string(), name: text("Häuser") }),
        documents: vec![Document {
            guid: Guid::made_of(&[b"a.pdf", b"%PDF"]),
            filename: "a.pdf".to_owned(),
            description: None,
            bytes: b"%PDF".to_vec(),
        }],
        topics: vec![topic, Topic::new(guid(7), "The least")],
        files: vec![Attachment { name: "a.ifc".to_owned(), bytes: b"ISO-10303-21;".to_vec() }],
        ..Archive::default()
    }
}

#[test]
fn an_archive_with_something_everywhere_is_the_same_in_both_versions() {
    let mut archive = whole();
    archive.topics.sort_by(|a, b| a.guid.cmp(&b.guid));
    for version in [Version::V2_1, Version::V3_0] {
        let (bytes, problems) = write(&archive, version).unwrap();
        let Some(schemas) = Schemas::of_version(version) else { return };
        assert_eq!(schemas.errors(&bytes).0, Vec::<String>::new());
        let (_, again, wrong) = read(&bytes, &Limits::default()).unwrap();
        assert_eq!(wrong, Vec::new());
        assert_eq!(as_held(&again, version), as_held(&archive, version));
        // the topic that has nothing but a title: when, by whom, and in 3.0 what it is and how it stands
        assert_eq!(problems.len(), if version == Version::V3_0 { 4 } else { 2 }, "{problems:?}");
        let words = &again.extensions;
        assert!(words.labels.contains(&"Ökologie".to_owned()) && words.users.len() == 2, "{words:?}");
    }
    // the judge does judge
    let Some(schemas) = Schemas::of_version(Version::V3_0) else { return };
    let wrong = packed(&[("a/markup.bcf", "<Markup><Topic Guid='1'><Title>a</Title></Topic></Markup>")]);
    assert!(schemas.errors(&wrong).0.len() > 2, "{:?}", schemas.errors(&wrong));
    let error = write(&archive, Version::V2_0).unwrap_err().to_string();
    assert!(error.contains("2.1 and 3.0 are written"), "{error}");
}

/// An archive of files.
fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<_> =
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    crate::archive::pack(&files).unwrap()
}

const V3: (&str, &str) = ("bcf.version", "<Version VersionId=\"3.0\"/>");

#[test]
fn hostile_and_broken_archives_are_refused_or_told() {
    let refused = |bytes: &[u8], limits: Limits| read(bytes, &limits).unwrap_err().to_string();
    assert!(refused(b"no archive", Limits::default()).contains("no BCF archive that can be unpacked"));
    assert!(refused(&packed(&[]), Limits::default()).contains("no file bcf.version"));
    assert!(
        refused(&packed(&[("bcf.version", "<Version VersionId=\"1.0\"/>")]), Limits::default())
            .contains("`1.0` is not read")
    );
    assert!(refused(&packed(&[("bcf.version", "<Version")]), Limits::default()).contains("line 1"));
    let big = "a".repeat(9 << 20);
    let bomb = packed(&[V3, ("bomb.txt", &big)]);
    assert!(refused(&bomb, Limits::default()).contains("bomb.txt grows to more"));
    assert!(
        refused(&packed(&[V3, ("a", "1"), ("b", "2")]), Limits { files: 2, ..Limits::default() })
            .contains("more than 2 files")
    );
    let truncated = packed(&[V3, ("a", &"b".repeat(1000))]);
    assert!(read(&truncated[..truncated.len() - 30], &Limits::default()).is_err());

    let folder = "8ac9822a-761a-4deb-9f39-f61286acbf6a";
    let markup = format!("{folder}/markup.bcf");
    let told = |text: &str| -> (usize, Vec<String>) {
        let (_, archive, problems) = read(&packed(&[V3, (&markup, text)]), &Limits::default()).unwrap();
        (archive.topics.len(), problems.iter().map(ToString::to_string).collect())
    };
    let (topics, problems) =
        told("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><Markup>&b;</Markup>");
    assert!(
        topics == 0 && problems[0].contains("document type") && problems[0].contains("line 1"),
        "{problems:?}"
    );
    let (topics, problems) = told(
        "<Markup>\n<Topic Guid='nonsense'>\n<CreationDate>yesterday</CreationDate><Index>x</Index>\n<Viewpoints>\
         <ViewPoint Guid='8ac9822a-761a-4deb-9f39-f61286acbf6b'><Viewpoint>../../etc/passwd</Viewpoint></ViewPoint></Viewpoints>\
         </Topic></Markup>",
    );
    assert_eq!(topics, 1);
    for said in [
        "line 2, column 1: Guid is `nonsense`",
        "no Title",
        "line 3, column 1: CreationDate is `yesterday`",
        "Index is `x`",
        "../../etc/passwd is not in the archive",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(said)), "{said}: {problems:?}");
    }
}

#[test]
fn dates_are_those_of_xml_schema() {
    for good in [
        "2026-01-31T12:00:00",
        "2026-01-31T12:00:00Z",
        "2015-06-09T08:40:57.301Z",
        "2026-12-01T23:59:59.1+14:00",
    ] {
        assert!(is_date_time(good), "{good}");
    }
    for bad in [
        "",
        "2026-01-31",
        "2026-13-31T12:00:00",
        "2026-02-31T12:00:00",
        "2026-01-31T24:30:00",
        "2026-1-31T12:00:00",
        "2026-01-31 12:00:00",
        "2026-01-31T12:00",
        "2026-01-31T12:00:00.",
        "2026-01-31T12:00:00+1",
        "26-01-31T12:00:00Z",
    ] {
        assert!(!is_date_time(bad), "{bad}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), markup in "[<>/a-zA-Z =\"'&;0-9-]{0,200}") {
        let _ = read(&bytes, &Limits::default());
        let wrapped = format!("<Markup><Topic>{markup}</Topic></Markup>");
        for text in [&markup, &wrapped] {
            let _ = read(&packed(&[V3, ("8ac9822a-761a-4deb-9f39-f61286acbf6a/markup.bcf", text)]), &Limits::default());
        }
    }
}
