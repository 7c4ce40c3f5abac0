//! Tests of nodes, loops, equipment and controls.

use super::*;

/// A plant with a splitter and a mixer: a pump, two pipes beside each other, and a pipe behind them; and a demand side of one pipe.
const PLANT: &str = "\
    PlantLoop,Loop,Water,,,Out,90,10,1,0,1,In,Out,Supply,SupplyJoints,DIn,DOut,Demand;\
    BranchList,Supply,B1,B2,B3,B4;BranchList,Demand,D1;\
    ConnectorList,SupplyJoints,Connector:Splitter,Split,Connector:Mixer,Mix;\
    Connector:Splitter,Split,B1,B2,B3;Connector:Mixer,Mix,B4,B2,B3;\
    Branch,B1,,Pump:ConstantSpeed,Pump,In,n1;Pump:ConstantSpeed,Pump,In,n1;\
    Branch,B2,,Pipe:Adiabatic,Pipe2,n2,n3;Pipe:Adiabatic,Pipe2,n2,n3;\
    Branch,B3,,Pipe:Adiabatic,Pipe3,n4,n5;Pipe:Adiabatic,Pipe3,n4,n5;\
    Branch,B4,,Pipe:Adiabatic,Pipe4,n6,Out;Pipe:Adiabatic,Pipe4,n6,Out;\
    Branch,D1,,Pipe:Adiabatic,Pipe5,DIn,DOut;Pipe:Adiabatic,Pipe5,DIn,DOut;\
    Schedule:Constant,Hot,,60;SetpointManager:Scheduled,Manager,Temperature,Hot,Out;";

const NODES: [IssueKind; 4] =
    [IssueKind::DanglingNode, IssueKind::DuplicateNode, IssueKind::BrokenLoop, IssueKind::MissingSetpoint];

/// The findings on nodes and loops.
fn said(text: &str) -> Vec<String> {
    let text = cube("", "") + text;
    NODES.iter().flat_map(|kind| of_kind(&text, *kind)).collect()
}

#[track_caller]
fn says(from: &str, to: &str, wanted: &str) {
    assert!(PLANT.contains(from), "{from}");
    let found = said(&PLANT.replacen(from, to, 1));
    assert!(found.iter().any(|found| found.starts_with("Error") && found.contains(wanted)), "{found:#?}");
}

#[test]
fn a_loop_that_holds_together_has_no_issues() {
    assert_eq!(said(PLANT), [] as [&str; 0]);
}

#[test]
fn branches_stand_in_the_order_of_the_flow() {
    says("B1,B2,B3,B4", "B4,B2,B3,B1", "begins at the node `In`, and its first branch, `B4`, at `n6`");
    says("Supply,B1,B2,B3,B4", "Supply,B1,B2,B4", "The branch `B3` stands in no list");
    says("BranchList,Demand,D1;", "BranchList,Demand,D1,B2;", "The branch `B2` is listed twice");
    says("Split,B1,B2,B3", "Split,B1,B2", "The branch `B3` is not joined by Connector:Splitter `Split`");
    says("Mix,B4,B2,B3", "Mix,B4,B3", "The branch `B2` is not joined by Connector:Mixer `Mix`");
    says("Split,B1,B2,B3", "Split,B2,B1,B3", "joins the parallel branches to `B2`");
    says(",Connector:Mixer,Mix;", ";", "has not both a splitter and a mixer");
    says("Supply,SupplyJoints,", "Supply,,", "has 4 branches and no list of connectors");
}

#[test]
fn a_component_has_the_nodes_that_its_branch_says() {
    says("Pipe2,n2,n3;P", "Pipe2,n2,n33;P", "the outlet `n33`, which that does not have");
    says(
        "Branch,B3,,Pipe:Adiabatic,Pipe3,n4,n5;",
        "Branch,B3,,Pipe:Adiabatic,Pipe2,n2,n3;",
        "Pipe:Adiabatic `Pipe2` stands in the branch `B2` and again in `B3`",
    );
    let in_line =
        "Branch,B1,,Pump:ConstantSpeed,Pump,In,n1,Pipe:Adiabatic,Pipe6,x,y;Pipe:Adiabatic,Pipe6,x,y;";
    says(
        "Branch,B1,,Pump:ConstantSpeed,Pump,In,n1;",
        in_line,
        "`Pump` lets out at `n1`, and `Pipe6` behind it takes in at `x`",
    );
}

#[test]
fn what_is_taken_in_comes_from_somewhere_and_the_likely_name_is_told() {
    says(
        "D1,,Pipe:Adiabatic,Pipe5,DIn,DOut;Pipe:Adiabatic,Pipe5,DIn,",
        "D1,,Pipe:Adiabatic,Pipe5,DInn,DOut;Pipe:Adiabatic,Pipe5,DInn,",
        "Node `DInn`: Pipe:Adiabatic `Pipe5` (`Inlet Node Name`) takes in here, and nothing lets out",
    );
    let misspelt = PLANT.replacen("Hot,Out;", "Hot,Otu;", 1);
    let found = said(&misspelt);
    assert!(
        found.iter().any(|found| found.contains("Node `Otu`: SetpointManager:Scheduled `Manager`")),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|found| found.contains("PlantLoop `Loop` needs a set point at the node `Out`")),
        "{found:#?}"
    );
}

#[test]
fn two_components_do_not_let_out_into_one_node() {
    says(
        "Pipe3,n4,n5;Pipe:Adiabatic,Pipe3,n4,n5;",
        "Pipe3,n4,n3;Pipe:Adiabatic,Pipe3,n4,n3;",
        "Node `n3` is the outlet of both Pipe:Adiabatic `Pipe2` and Pipe:Adiabatic `Pipe3`",
    );
}

#[test]
fn a_type_whose_nodes_are_not_known_makes_everything_right() {
    let unknown =
        "ZoneHVAC:LowTemperatureRadiant:Electric,R,,Z,Air Out;Chiller:Absorption,C,1,1,Air In,Air Out;";
    let fan = "Fan:ConstantVolume,f,,0.7,100,1,0.9,1,Air Out,Air In;";
    assert!(!said(fan).is_empty());
    assert_eq!(said(&format!("{unknown}{fan}")), [] as [&str; 0]);
}

#[test]
fn a_list_of_nodes_stands_for_its_nodes() {
    let text = "NodeList,Returns,one,two;NodeList,Unused,other;\
        AirLoopHVAC:ZoneMixer,M,out,one,two;ZoneHVAC:EquipmentConnections,Z,E,,,air,Returns;ZoneHVAC:EquipmentList,E,SequentialLoad;";
    let errors =
        |text: &str| said(text).into_iter().filter(|said| said.starts_with("Error")).collect::<Vec<_>>();
    assert_eq!(errors(text), [] as [&str; 0]);
    // of what no list of a zone's names, nothing stands on the other side
    let without = text.replace("NodeList,Returns,one,two;", "NodeList,Returns,one;");
    let found = errors(&without);
    assert!(found.len() == 1 && found[0].contains("Node `two`: AirLoopHVAC:ZoneMixer `M`"), "{found:?}");
}

#[test]
fn air_comes_to_the_zones_and_back_by_paths() {
    let text = "AirLoopHVAC,A,,,1,L,,si,do,di,so;AirLoopHVAC:SupplyPath,S,di,AirLoopHVAC:ZoneSplitter,x;\
        AirLoopHVAC:ReturnPath,R,do,AirLoopHVAC:ZoneMixer,y;";
    let paths = |text: &str| {
        let found = said(text);
        found.into_iter().filter(|said| said.contains(" path at the node ")).collect::<Vec<_>>()
    };
    assert_eq!(paths(text), [] as [&str; 0]);
    assert_eq!(
        paths(&text.replace("SupplyPath,S,di", "SupplyPath,S,dx")),
        ["Error: AirLoopHVAC `A`: its supply air enters no supply path at the node `di`."]
    );
    assert_eq!(
        paths(&text.replace("ReturnPath,R,do", "ReturnPath,R,dx")),
        ["Error: AirLoopHVAC `A`: its return air comes by no return path at the node `do`."]
    );
}

#[test]
fn a_controller_and_its_mixer_name_the_same_nodes() {
    let text = |return_air: &str| {
        format!(
            "OutdoorAir:Mixer,M,mixed,outdoor,relief,return;Controller:OutdoorAir,C,relief,{return_air},mixed,outdoor,1,2;"
        )
    };
    let of = |text: &str| said(text).iter().any(|said| said.contains("and its mixer `M` has `return`"));
    assert!(!of(&text("return")));
    assert!(of(&text("outdoor")));
}

#[test]
fn equipment_is_in_an_order_that_can_be_followed() {
    let list = |places: &str| {
        format!(
            "{}ZoneHVAC:EquipmentConnections,Z,E,,,air;ZoneHVAC:EquipmentList,E,SequentialLoad,{places};",
            cube("", "")
        )
    };
    let of = IssueKind::Equipment;
    only(&list("ZoneHVAC:UnitHeater,a,1,1,,,ZoneHVAC:UnitHeater,b,2,2"), of, "");
    only(
        &list("ZoneHVAC:UnitHeater,a,1,1,,,ZoneHVAC:UnitHeater,b,1,2"),
        of,
        "the place in the order of cooling is 1 for two of them",
    );
    only(
        &list("ZoneHVAC:UnitHeater,a,7,1"),
        of,
        "the place in the order of cooling is 7, and the list has 1",
    );
    let alone = list("ZoneHVAC:UnitHeater,a,1,1").replace("ZoneHVAC:EquipmentConnections,Z,E,,,air;", "");
    only(&alone, of, "is that of no zone");
}

#[test]
fn bounds_are_in_order() {
    let curve = |bounds: &str| format!("{}Curve:Quadratic,Q,1,0,0,{bounds};", cube("", ""));
    only(&curve("0,1"), IssueKind::Equipment, "");
    only(&curve("5,1"), IssueKind::Equipment, "holds for x from 5 to 1, which is nothing");
    says(",Out,90,10,", ",Out,10,90,", "is to have at least 90 °C and at most 10 °C");
    let manager = |kind: &str| format!("{}AvailabilityManager:NightCycle,N,,,{kind};", cube("", ""));
    only(&manager("CycleOnAny"), IssueKind::Equipment, "");
    only(&manager("CycleOnControlZone"), IssueKind::Equipment, "is to CycleOnControlZone, and names no zone");
}

#[test]
fn shares_are_no_more_than_all() {
    let lights = |visible: &str| format!("{}Lights,L,Z,S,LightingLevel,1,,,0,0.5,{visible};", cube("", ""));
    only(&lights("0.5"), IssueKind::Equipment, "");
    only(&lights("0.6"), IssueKind::Equipment, "come to 1.100");
}

#[test]
fn air_for_heating_is_warmer_than_that_for_cooling() {
    let sizing = |cold: &str, warm: &str| {
        format!("{}Sizing:Zone,Z,SupplyAirTemperature,{cold},,SupplyAirTemperature,{warm};", cube("", ""))
    };
    only(&sizing("14", "40"), IssueKind::Equipment, "");
    only(
        &sizing("14", "10"),
        IssueKind::Equipment,
        "supply air for heating is to have 10 °C, and for cooling 14 °C",
    );
}

#[test]
fn a_thermostat_has_the_set_points_it_is_asked_for_and_they_do_not_cross() {
    let model = |kind: &str, cold: &str| {
        format!(
            "{}Schedule:Constant,Kind,,{kind};Schedule:Constant,Low,,20;Schedule:Constant,High,,{cold};\
             ZoneControl:Thermostat,T,Z,Kind,ThermostatSetpoint:DualSetpoint,D;ThermostatSetpoint:DualSetpoint,D,Low,High;",
            cube("", "")
        )
    };
    let of = IssueKind::Thermostat;
    only(&model("4", "24"), of, "");
    only(&model("0", "24"), of, "");
    only(&model("1", "24"), of, "has no ThermostatSetpoint:SingleHeating");
    only(&model("7", "24"), of, "whose value 7 is no type of control");
    only(&model("4", "19"), of, "20 over 19 °C at 0:00 on 01-01");
    only(
        &(model("4", "24") + "ZoneControl:Thermostat,U,Z,Kind,ThermostatSetpoint:DualSetpoint,D;"),
        of,
        "The zone `Z` has two thermostats",
    );
    let night = model("4", "24").replace(
        "Schedule:Constant,High,,24;",
        "Schedule:Compact,High,,Through: 12/31,For: AllDays,Until: 6:00,18,Until: 24:00,24;",
    );
    let night = night.replace(
        "Schedule:Constant,Low,,20;",
        "Schedule:Compact,Low,,Through: 12/31,For: AllDays,Until: 6:00,15,Until: 24:00,20;",
    );
    only(&night, of, "");
}

#[test]
fn hostile_models_are_checked_to_their_end() {
    let many =
        "Branch,B,,Pipe:Adiabatic,P,x,x;Pipe:Adiabatic,P,x,x;BranchList,L,B,B;NodeList,N,N;".repeat(2_000);
    assert!(!said(&many).is_empty());
    let odd = "Schedule:Year,Y,,W,1e300,-5,NaN,99;Schedule:Compact,C,,For,For,Through,Until;Connector:Splitter,S;ConnectorList,L;\
        ThermostatSetpoint:DualSetpoint,D,Y,C;Sizing:Zone;RunPeriod,R,-1,1e18,,1e18,NaN;FenestrationSurface:Detailed,F,Window,C,S,,,,,4,NaN,inf,1e308;\
        ZoneHVAC:EquipmentList,E,,,a,1e300,1e300;EnergyManagementSystem:Program,P,,=,SET,SET =,IF;";
    assert!(!said(odd).is_empty() || !of_kind(odd, IssueKind::EnergyManagement).is_empty());
}

#[test]
fn of_templates_nothing_is_said_that_is_made_of_them() {
    let text = "HVACTemplate:Plant:Boiler,B,HotWaterBoiler;SetpointManager:Scheduled,M,Temperature,Hot,Made Later;SimulationControl,Yes,Yes;";
    assert_eq!(said(text), [] as [&str; 0]);
    assert_eq!(of_kind(&(cube("", "") + text), IssueKind::MissingSizing), [] as [&str; 0]);
    assert!(!said(&text.replace("HVACTemplate:Plant:Boiler,B,HotWaterBoiler;", "")).is_empty());
}
