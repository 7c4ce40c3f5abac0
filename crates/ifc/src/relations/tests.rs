use super::*;
use crate::sample::{HOUSE, model};
use crate::{Limits, SchemaVersion};

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

#[test]
fn an_opening_is_in_the_storey_of_its_wall() {
    let house = house();
    assert_eq!(container(&house, Id(10)), Some(Id(6)));
    assert_eq!(direct_container(&house, Id(14)), None);
    assert_eq!(container(&house, Id(14)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(13)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(6)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(19)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(5)), None);
    assert_eq!(upwards(&house, Id(14)), [Id(14), Id(10), Id(6), Id(5), Id(1)]);
}

#[test]
fn wholes_and_parts_know_each_other() {
    let house = house();
    assert_eq!(children(&house, Id(5)), [Id(6), Id(7)]);
    assert_eq!(aggregate_parent(&house, Id(7)), Some(Id(5)));
    assert_eq!(contained(&house, Id(6)), [Id(10), Id(11), Id(13)]);
    assert_eq!(host_of_opening(&house, Id(14)), Some(Id(10)));
    assert_eq!(openings_of(&house, Id(10)), [Id(14)]);
    assert_eq!(filling_of(&house, Id(14)), Some(Id(13)));
    assert_eq!(opening_of_filling(&house, Id(13)), Some(Id(14)));
    let mut below = decomposition(&house, Id(6));
    below.sort_unstable();
    assert_eq!(below, [Id(10), Id(11), Id(13), Id(14), Id(19), Id(20)]);
}

#[test]
fn types_materials_groups_and_classes_are_found() {
    let house = house();
    assert_eq!(type_of(&house, Id(10)), Some(Id(22)));
    assert_eq!(type_of(&house, Id(22)), Some(Id(22)));
    assert_eq!(occurrences_of(&house, Id(22)), [Id(10)]);
    assert_eq!(material_of(&house, Id(10)), Some(Id(54)));
    assert_eq!(materials_of(&house, Id(10)), [Id(50), Id(51)]);
    assert_eq!(materials_of(&house, Id(12)), [Id(50)]);
    assert_eq!(groups_of(&house, Id(19)), [Id(60)]);
    assert_eq!(classifications_of(&house, Id(10)), [Id(63)]);
    // the type's predefined type comes before the wall's own
    assert_eq!(predefined_type(&house, Id(10)).as_deref(), Some("PARTITIONING"));
    assert_eq!(predefined_type(&house, Id(11)).as_deref(), Some("Thick"));
}

#[test]
fn many_elements_get_the_same_answers_as_one() {
    let Some(models) = testing::data("models") else { return };
    for name in ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc", "wall_door_column_4x3.ifc"] {
        let (model, _) = Model::open(&models.join(name), &Limits::default()).unwrap();
        let (one, many) = (Links::of_one(&model), Links::of_many(&model));
        for id in model.of_class("IfcProduct").into_iter().step_by(7) {
            assert_eq!(one.upwards(id), many.upwards(id));
            assert_eq!(one.type_of(id), many.type_of(id));
            assert_eq!(one.materials_of(id), many.materials_of(id));
            assert_eq!(one.decomposition(id), many.decomposition(id));
        }
    }
}

#[test]
fn relations_in_a_circle_end() {
    let circle = model(
        SchemaVersion::Ifc4,
        "#1=IFCWALL('000000000000000000000A',$,$,$,$,$,$,$,$);
        #2=IFCWALL('000000000000000000000B',$,$,$,$,$,$,$,$);
        #3=IFCRELAGGREGATES('000000000000000000000C',$,$,$,#1,(#2));
        #4=IFCRELAGGREGATES('000000000000000000000D',$,$,$,#2,(#1));",
    );
    assert_eq!(upwards(&circle, Id(1)), [Id(1), Id(2)]);
    assert_eq!(decomposition(&circle, Id(1)), [Id(2)]);
    assert_eq!(container(&circle, Id(1)), None);
}

#[test]
fn elements_are_connected_along_paths_and_by_others() {
    for schema in SchemaVersion::ALL {
        let walls = model(
            schema,
            "#1=IFCBEAM('0000000000000000000001',$,$,$,$,$,$,$);
            #2=IFCBEAM('0000000000000000000002',$,$,$,$,$,$,$);
            #3=IFCMECHANICALFASTENER('0000000000000000000003',$,$,$,$,$,$,$,$,$);
            #4=IFCRELCONNECTSPATHELEMENTS('0000000000000000000004',$,$,$,$,#1,#2,(1,2),(3),.ATPATH.,.ATEND.);
            #5=IFCRELCONNECTSWITHREALIZINGELEMENTS('0000000000000000000005',$,$,$,$,#2,#1,(#3),$);",
        );
        let links = Links::of_one(&walls);
        let found = links.connections_of(Id(1));
        assert_eq!(found.len(), 2, "{schema}");
        assert_eq!((found[0].other, found[0].is_relating), (Id(2), true));
        assert_eq!((found[0].at.as_deref(), found[0].at_other.as_deref()), (Some("ATEND"), Some("ATPATH")));
        assert_eq!(
            (found[0].priorities.as_slice(), found[0].other_priorities.as_slice()),
            (&[1, 2][..], &[3][..])
        );
        assert_eq!((found[1].is_relating, found[1].realized_by.as_slice()), (false, &[Id(3)][..]));
        assert_eq!(links.connected_to(Id(2)), [Id(1)]);
        assert_eq!(links.connected_to(Id(3)), [Id(2), Id(1)]);
    }
}

#[test]
fn ports_lead_from_element_to_element() {
    let check = |schema, data: &str| {
        let pipes = model(schema, data);
        let links = Links::of_one(&pipes);
        assert_eq!(links.ports_of(Id(1)), [Id(3)], "{schema}");
        assert_eq!(links.element_of_port(Id(4)), Some(Id(2)));
        assert_eq!(links.connected_ports(Id(4)), [Id(3)]);
        assert_eq!(links.neighbours_by_ports(Id(1)), [Id(2)]);
        assert_eq!(links.neighbours_by_ports(Id(2)), [Id(1)]);
    };
    let common = "#1=IFCFLOWSEGMENT('0000000000000000000001',$,$,$,$,$,$,$);
        #2=IFCFLOWSEGMENT('0000000000000000000002',$,$,$,$,$,$,$);
        #5=IFCRELCONNECTSPORTS('0000000000000000000005',$,$,$,#3,#4,$);";
    check(
        SchemaVersion::Ifc2x3,
        &format!(
            "{common}
            #3=IFCDISTRIBUTIONPORT('0000000000000000000003',$,$,$,$,$,$,.SINK.);
            #4=IFCDISTRIBUTIONPORT('0000000000000000000004',$,$,$,$,$,$,.SOURCE.);
            #6=IFCRELCONNECTSPORTTOELEMENT('0000000000000000000006',$,$,$,#3,#1);
            #7=IFCRELCONNECTSPORTTOELEMENT('0000000000000000000007',$,$,$,#4,#2);"
        ),
    );
    for schema in [SchemaVersion::Ifc4, SchemaVersion::Ifc4x3] {
        check(
            schema,
            &format!(
                "{common}
                #3=IFCDISTRIBUTIONPORT('0000000000000000000003',$,$,$,$,$,$,.SINK.,$,$);
                #4=IFCDISTRIBUTIONPORT('0000000000000000000004',$,$,$,$,$,$,.SOURCE.,$,$);
                #6=IFCRELNESTS('0000000000000000000006',$,$,$,#1,(#3));
                #7=IFCRELNESTS('0000000000000000000007',$,$,$,#2,(#4));"
            ),
        );
    }
}

#[test]
fn space_boundaries_know_their_level_and_sides() {
    let boundaries = model(
        SchemaVersion::Ifc4,
        "#1=IFCSPACE('0000000000000000000001',$,$,$,$,$,$,$,$,$,$);
        #2=IFCWALL('0000000000000000000002',$,$,$,$,$,$,$,$);
        #3=IFCRELSPACEBOUNDARY1STLEVEL('0000000000000000000003',$,$,$,#1,#2,$,.PHYSICAL.,.INTERNAL.,$);
        #4=IFCRELSPACEBOUNDARY2NDLEVEL('0000000000000000000004',$,$,'2a',#1,#2,$,.PHYSICAL.,.EXTERNAL.,#3,#5);
        #5=IFCRELSPACEBOUNDARY2NDLEVEL('0000000000000000000005',$,$,'2b',#1,#2,$,.VIRTUAL.,.INTERNAL.,$,#4);
        #6=IFCRELSPACEBOUNDARY('0000000000000000000006',$,$,$,#1,#2,$,.PHYSICAL.,.INTERNAL.);",
    );
    let links = Links::of_one(&boundaries);
    let found = links.boundaries_of_space(Id(1));
    let levels: Vec<_> = found.iter().map(|boundary| boundary.level).collect();
    use BoundaryLevel::{First, SecondA, SecondB, Unknown};
    assert_eq!(levels, [First, SecondA, SecondB, Unknown]);
    assert_eq!((found[1].parent, found[1].corresponding), (Some(Id(3)), Some(Id(5))));
    assert_eq!(found[1].internal.as_deref(), Some("EXTERNAL"));
    assert_eq!(links.boundaries_of_element(Id(2)).len(), 4);
    let old = model(
        SchemaVersion::Ifc2x3,
        "#1=IFCSPACE('0000000000000000000001',$,$,$,$,$,$,$,$,$,$);
        #3=IFCRELSPACEBOUNDARY('0000000000000000000003',$,'2ndLevel','2a',#1,$,$,.VIRTUAL.,.INTERNAL.);",
    );
    let found = Links::of_one(&old).boundaries_of_space(Id(1));
    assert_eq!((found[0].level, found[0].element), (SecondA, None));
}

#[test]
fn a_composition_tells_layers_profiles_and_how_they_lie() {
    let house = house();
    let wall = Links::of_one(&house).composition_of(Id(10)).unwrap();
    assert_eq!((wall.material, wall.inherited), (Id(54), false));
    let thick: Vec<_> = wall.parts.iter().map(|part| (part.material, part.thickness)).collect();
    assert_eq!(thick, [(Some(Id(50)), Some(0.2)), (Some(Id(51)), Some(0.01))]);
    let usage = wall.usage.unwrap();
    assert_eq!((usage.direction.as_deref(), usage.sense.as_deref()), (Some("AXIS2"), Some("POSITIVE")));
    assert_eq!(usage.offset, Some(0.0));
    let beams = model(
        SchemaVersion::Ifc4x3,
        "#1=IFCBEAM('0000000000000000000001',$,$,$,$,$,$,$,$);
        #2=IFCBEAMTYPE('0000000000000000000002',$,$,$,$,$,$,$,$,.BEAM.);
        #3=IFCRELDEFINESBYTYPE('0000000000000000000003',$,$,$,(#1),#2);
        #4=IFCRELASSOCIATESMATERIAL('0000000000000000000004',$,$,$,(#2),#5);
        #5=IFCMATERIALPROFILESETUSAGE(#6,5,$);
        #6=IFCMATERIALPROFILESET($,$,(#7),$);
        #7=IFCMATERIALPROFILEWITHOFFSETS('I',$,#8,#9,10,'LoadBearing',(0.1,0.2));
        #8=IFCMATERIAL('Steel',$,$);
        #9=IFCRECTANGLEPROFILEDEF(.AREA.,'R',$,0.1,0.2);
        #10=IFCDOOR('000000000000000000000A',$,$,$,$,$,$,$,$,$,$,$,$);
        #11=IFCRELASSOCIATESMATERIAL('000000000000000000000B',$,$,$,(#10),#12);
        #12=IFCMATERIALCONSTITUENTSET($,$,(#13));
        #13=IFCMATERIALCONSTITUENT('Frame',$,#8,0.4,$);",
    );
    let links = Links::of_one(&beams);
    let beam = links.composition_of(Id(1)).unwrap();
    assert_eq!((beam.inherited, beam.usage.unwrap().cardinal_point), (true, Some(5)));
    let part = &beam.parts[0];
    assert_eq!(
        (part.profile, part.priority, part.offsets.as_slice()),
        (Some(Id(9)), Some(10), &[0.1, 0.2][..])
    );
    assert_eq!(links.profiles_of(Id(1)), [Id(9)]);
    assert_eq!(links.composition_of(Id(10)).unwrap().parts[0].fraction, Some(0.4));
    assert_eq!(links.composition_of(Id(2)).map(|found| found.inherited), Some(false));
}

#[test]
fn what_is_said_elsewhere_is_the_types_too() {
    for schema in [SchemaVersion::Ifc4, SchemaVersion::Ifc4x3] {
        let walls = model(
            schema,
            "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,$);
            #2=IFCWALLTYPE('0000000000000000000002',$,$,$,$,$,$,$,$,.STANDARD.);
            #3=IFCRELDEFINESBYTYPE('0000000000000000000003',$,$,$,(#1),#2);
            #4=IFCRELASSOCIATESDOCUMENT('0000000000000000000004',$,$,$,(#2),#5);
            #5=IFCDOCUMENTREFERENCE($,'D1',$,$,$);
            #6=IFCRELASSOCIATESLIBRARY('0000000000000000000006',$,$,$,(#1),#7);
            #7=IFCLIBRARYREFERENCE($,'L1',$,$,$,$);
            #8=IFCMATERIAL('Steel',$,$);
            #9=IFCEXTERNALREFERENCERELATIONSHIP($,$,#10,(#8));
            #10=IFCCLASSIFICATIONREFERENCE($,'S1',$,$,$,$);
            #11=IFCRELASSOCIATESCONSTRAINT('000000000000000000000B',$,$,$,(#1),$,#12);
            #12=IFCOBJECTIVE('fire',$,.HARD.,$,$,$,$,$,$,.REQUIREMENT.,$);
            #13=IFCRELASSOCIATESAPPROVAL('000000000000000000000D',$,$,$,(#2),#14);
            #14=IFCAPPROVAL($,'A1',$,$,$,$,$,$,$);",
        );
        let links = Links::of_one(&walls);
        assert_eq!(links.documents_of(Id(1)), [Id(5)], "{schema}");
        assert_eq!(links.libraries_of(Id(1)), [Id(7)]);
        assert_eq!(links.libraries_of(Id(2)), []);
        assert_eq!(links.classifications_of(Id(8)), [Id(10)]);
        assert_eq!(links.constraints_of(Id(1)), [Id(12)]);
        assert_eq!(links.approvals_of(Id(1)), [Id(14)]);
    }
}

#[test]
fn assignments_lead_to_groups_actors_and_controls() {
    for schema in SchemaVersion::ALL {
        let objects = model(
            schema,
            "#1=IFCTASK('0000000000000000000001',$,$,$,$);
            #2=IFCACTOR('0000000000000000000002',$,$,$,$,$);
            #3=IFCRELASSIGNSTOACTOR('0000000000000000000003',$,$,$,(#1),$,#2,$);
            #4=IFCCOSTITEM('0000000000000000000004',$,$,$,$);
            #5=IFCRELASSIGNSTOCONTROL('0000000000000000000005',$,$,$,(#1),$,#4);
            #6=IFCSYSTEM('0000000000000000000006',$,$,$,$);
            #7=IFCFLOWSEGMENT('0000000000000000000007',$,$,$,$,$,$,$);
            #8=IFCRELASSIGNSTOGROUP('0000000000000000000008',$,$,$,(#7,#1),$,#6);
            #9=IFCRELASSIGNSTOPROCESS('0000000000000000000009',$,$,$,(#7),$,#1,$);
            #10=IFCZONE('000000000000000000000A',$,$,$,$);
            #11=IFCRELASSIGNSTOGROUP('000000000000000000000B',$,$,$,(#7),$,#10);
            #12=IFCRELASSIGNSTOPRODUCT('000000000000000000000C',$,$,$,(#1),$,#7);
            #13=IFCBUILDING('000000000000000000000D',$,$,$,$,$,$,$,$,$,$,$);
            #14=IFCRELSERVICESBUILDINGS('000000000000000000000E',$,$,$,#6,(#13));
            #15=IFCRELASSIGNSTORESOURCE('000000000000000000000F',$,$,$,(#7),$,#16);
            #16=IFCLABORRESOURCE('000000000000000000000G',$,$,$,$,$,$,$,$,$);",
        );
        let links = Links::of_one(&objects);
        assert_eq!(links.actors_of(Id(1)), [Id(2)], "{schema}");
        assert_eq!(links.controls_of(Id(1)), [Id(4)]);
        assert_eq!(links.groups_of(Id(7)), [Id(6), Id(10)]);
        // from IFC4 on a zone is a kind of system
        assert_eq!(links.systems_of(Id(7)), [Id(6)]);
        assert_eq!(links.zones_of(Id(7)), [Id(10)]);
        assert_eq!(links.members_of(Id(6)), [Id(7), Id(1)]);
        assert_eq!(links.processes_of(Id(7)), [Id(1)]);
        assert_eq!(links.products_of(Id(1)), [Id(7)]);
        assert_eq!(links.resources_of(Id(7)), [Id(16)]);
        assert_eq!(links.served_by(Id(6)), [Id(13)]);
        assert_eq!(links.systems_serving(Id(13)), [Id(6)]);
    }
}

#[test]
fn coverings_projections_interferences_and_further_storeys_are_found() {
    let walls = model(
        SchemaVersion::Ifc4,
        "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,$);
        #2=IFCCOVERING('0000000000000000000002',$,$,$,$,$,$,$,$);
        #3=IFCRELCOVERSBLDGELEMENTS('0000000000000000000003',$,$,$,#1,(#2));
        #4=IFCSPACE('0000000000000000000004',$,$,$,$,$,$,$,$,$,$);
        #5=IFCRELCOVERSSPACES('0000000000000000000005',$,$,$,#4,(#2));
        #6=IFCPROJECTIONELEMENT('0000000000000000000006',$,$,$,$,$,$,$,$);
        #7=IFCRELPROJECTSELEMENT('0000000000000000000007',$,$,$,#1,#6);
        #8=IFCRELINTERFERESELEMENTS('0000000000000000000008',$,$,$,#1,#9,$,$,.U.);
        #9=IFCBEAM('0000000000000000000009',$,$,$,$,$,$,$,$);
        #10=IFCBUILDINGSTOREY('000000000000000000000A',$,$,$,$,$,$,$,$,$);
        #11=IFCRELREFERENCEDINSPATIALSTRUCTURE('000000000000000000000B',$,$,$,(#1),#10);",
    );
    let links = Links::of_one(&walls);
    assert_eq!(links.coverings_of(Id(1)), [Id(2)]);
    assert_eq!(links.coverings_of(Id(4)), [Id(2)]);
    assert_eq!(links.covered_by(Id(2)), [Id(1), Id(4)]);
    assert_eq!(links.projections_of(Id(1)), [Id(6)]);
    assert_eq!(links.host_of_projection(Id(6)), Some(Id(1)));
    assert_eq!(links.interferes_with(Id(9)), [Id(1)]);
    assert_eq!(links.referenced_structures(Id(1)), [Id(10)]);
    assert_eq!(links.referenced_elements(Id(10)), [Id(1)]);
    // mentioned is not contained
    assert_eq!(links.container(Id(1)), None);
}

#[test]
fn styles_and_profiles_are_those_of_the_body() {
    let shape = "#1=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,$,$);
        #2=IFCGEOMETRICREPRESENTATIONSUBCONTEXT('Body','Model',*,*,*,*,#1,$,.MODEL_VIEW.,$);
        #3=IFCSHAPEREPRESENTATION(#2,'Body','Clipping',(#4));
        #4=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#5,#6);
        #5=IFCEXTRUDEDAREASOLID(#7,$,$,1.);
        #6=IFCHALFSPACESOLID($,.F.);
        #7=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,1.);
        #8=IFCPRODUCTDEFINITIONSHAPE($,$,(#3));
        #9=IFCBEAM('0000000000000000000009',$,$,$,$,$,#8,$,$);
        #10=IFCSURFACESTYLE('red',.BOTH.,(#12));
        #12=IFCSURFACESTYLESHADING(#13,$);
        #13=IFCCOLOURRGB($,1.,0.,0.);
        #20=IFCMAPPEDITEM(#21,$);
        #21=IFCREPRESENTATIONMAP($,#3);
        #22=IFCSHAPEREPRESENTATION(#2,'Body','MappedRepresentation',(#20));
        #23=IFCPRODUCTDEFINITIONSHAPE($,$,(#22));
        #24=IFCBEAM('000000000000000000000A',$,$,$,$,$,#23,$,$);";
    let plain = model(SchemaVersion::Ifc4x3, &format!("{shape}\n#11=IFCSTYLEDITEM(#5,(#10),$);"));
    let assigned = model(
        SchemaVersion::Ifc4,
        &format!("{shape}\n#11=IFCSTYLEDITEM(#5,(#14),$);\n#14=IFCPRESENTATIONSTYLEASSIGNMENT((#10));"),
    );
    for beams in [plain, assigned] {
        let links = Links::of_one(&beams);
        for beam in [Id(9), Id(24)] {
            assert_eq!(links.profiles_of(beam), [Id(7)]);
            assert_eq!(links.styles_of(beam), [Id(10)]);
        }
    }
}
