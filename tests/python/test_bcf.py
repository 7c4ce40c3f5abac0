"""What `export_bcf` writes is read by bcf-client: topics, comments, viewpoints with cameras and components, pictures; and `import_bcf` reads
what bcf-client writes."""

import io
import urllib.request
import zipfile

import bcf.v2.bcfxml
import bcf.v3.bcfxml
import pytest

READERS = {"2.1": bcf.v2.bcfxml.BcfXml, "3.0": bcf.v3.bcfxml.BcfXml}


@pytest.fixture(scope="module")
def house(shared_session):
    """A house through whose first wall another one goes."""
    model = shared_session.call("create_project", name="Issues & more")["model_id"]
    shared_session.call(
        "create_building_shell", model_id=model, footprint=[[0, 0], [9000, 0], [9000, 7000], [0, 7000]], storeys=1
    )
    level = shared_session.call("query_elements", model_id=model, selector="IfcBuildingStorey")["rows"][0]["id"]
    across = shared_session.call(
        "create_wall", model_id=model, start=[4000, -500], end=[4000, 3000], thickness=200, height=2000, level_id=level,
        name="Across",
    )  # fmt: skip
    return model, across["wall_id"]


def exported(session, model, path, version):
    answer = session.call(
        "export_bcf",
        model_id=model,
        version=version,
        clashes={"source_category": 'IfcWall, Name="Across"', "target_category": "IfcWall"},
        issues=[
            {
                "title": "Who needs this wall?",
                "description": "It is < 4 m \"long\" & goes through.",
                "elements": 'IfcWall, Name="Across"',
                "type": "Request",
                "priority": "High",
                "labels": ["Architecture", "Fläche"],
                "assigned_to": "a@example.com",
                "due": "2027-01-31T12:00:00Z",
                "comments": ["Nobody.", "Then away with it."],
            }
        ],
    )
    [link] = answer["links"]
    with urllib.request.urlopen(link["href"]) as file:
        path.write_bytes(file.read())
    return answer


@pytest.mark.parametrize("version", READERS)
def test_topics_are_read_by_another_program(shared_session, house, tmp_path, version):
    model, wall = house
    path = tmp_path / "issues.bcf"
    answer = exported(shared_session, model, path, version)
    assert answer["total"] >= 2 and answer["pictures"] == answer["total"], answer
    read = READERS[version].load(path)
    assert len(read.topics) == answer["total"]
    by_title = {topic.title: handler for handler in read.topics.values() for topic in [handler.topic]}
    handler = by_title["Who needs this wall?"]
    topic = handler.topic
    assert (topic.topic_type, topic.topic_status, topic.priority) == ("Request", "Open", "High")
    assert topic.description == 'It is < 4 m "long" & goes through.'
    assert topic.assigned_to == "a@example.com"
    assert [comment.comment for comment in handler.comments] == ["Nobody.", "Then away with it."]
    [viewpoint] = handler.viewpoints.values()
    info = viewpoint.visualization_info
    assert [component.ifc_guid for component in info.components.selection.component] == [wall]
    camera = info.perspective_camera
    away = [camera.camera_view_point.x - 4.0, camera.camera_view_point.y - 1.2, camera.camera_view_point.z - 1.0]
    ahead = camera.camera_direction
    # it looks at the wall from the south-east and above
    assert away[0] > 0 > away[1] and away[2] > 0
    assert ahead.x < 0 < ahead.y and ahead.z < 0
    assert viewpoint.snapshot.startswith(b"\x89PNG")
    clash = next(handler for title, handler in by_title.items() if "×" in title)
    [seen] = clash.viewpoints.values()
    guids = {component.ifc_guid for component in seen.visualization_info.components.selection.component}
    assert wall in guids and len(guids) == 2
    assert clash.topic.topic_type == "Clash" and "into each other" in clash.topic.description
    # the same issues are the same topics, and come back
    again = exported(shared_session, model, tmp_path / "again.bcf", version)
    assert [topic["guid"] for topic in again["topics"]] == [topic["guid"] for topic in answer["topics"]]
    back = shared_session.call("import_bcf", model_id=model, file=str(path))
    assert back["version"] == version and back["total"] == answer["total"] and "problems" not in back
    [mine] = [topic for topic in back["topics"] if topic["title"] == "Who needs this wall?"]
    assert [element["id"] for element in mine["elements"]] == [wall]
    assert [comment["text"] for comment in mine["comments"]] == ["Nobody.", "Then away with it."]


@pytest.mark.parametrize("version", READERS)
def test_what_another_program_writes_is_read(shared_session, house, tmp_path, version):
    model, _ = house
    made = READERS[version].create_new("Theirs")
    handler = made.add_topic("A door is missing", "Between hall and bath", "c@example.com", "Issue", "Open")
    assert handler is not None
    path = tmp_path / "theirs.bcf"
    made.save(path)
    answer = shared_session.call("import_bcf", model_id=model, file=str(path))
    assert answer["version"] == version and answer["total"] == 1, answer
    [topic] = answer["topics"]
    assert topic["title"] == "A door is missing" and topic["description"] == "Between hall and bath"
    assert topic["author"] == "c@example.com" and answer["project"] == "Theirs"


def test_an_archive_that_means_harm_is_refused(shared_session, house, tmp_path):
    model, _ = house
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bcf.version", '<Version VersionId="3.0"/>')
        archive.writestr("bomb", bytes(64 << 20))
    path = tmp_path / "bomb.bcf"
    path.write_bytes(packed.getvalue())
    with pytest.raises(Exception, match="bomb grows to more"):
        shared_session.call("import_bcf", model_id=model, file=str(path))
