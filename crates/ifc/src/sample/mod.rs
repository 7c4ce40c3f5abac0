//! Small models for tests, written as the lines of their DATA section, and random edits of them. The tests of the crates over the
//! kernel include this module by its path.

use ifc::edit::check;
use ifc::{Id, Limits, Model, SchemaVersion};

pub(crate) mod edits;

/// A model of these lines.
pub(crate) fn model(schema: SchemaVersion, data: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');\nFILE_NAME('sample.ifc','2024-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('{}'));\nENDSEC;\nDATA;\n{}\nENDSEC;\nEND-ISO-10303-21;\n",
        schema.file_schema(),
        data.lines().map(str::trim).collect::<Vec<_>>().join("\n"),
    );
    Model::from_bytes(text.into_bytes(), &Limits::default()).expect("the sample is an IFC file").0
}

/// The faults of an instance's attributes, by the checks of an edit.
pub(crate) fn faults(model: &Model, id: Id) -> Vec<String> {
    let Some((instance, entity)) = model.get(id).and_then(|i| Some((i, i.entity()?))) else {
        return Vec::new();
    };
    let values = instance.attributes();
    let mut faults = Vec::new();
    if values.len() != entity.attributes.len() {
        faults.push(format!("{}: {} attributes", entity.name, values.len()));
    }
    for (declared, value) in entity.attributes.iter().zip(values) {
        if let Err(refusal) = check::attribute(model, declared, value) {
            faults.push(format!("{}.{} {}", entity.name, declared.name, refusal.reason));
        }
    }
    faults
}

/// Instances that refer to what is not there, with the id that they refer to.
pub(crate) fn dangling(model: &Model) -> Vec<(Id, Id)> {
    let mut found = Vec::new();
    for id in model.ids() {
        model.each_reference_of(id.0, |target| {
            if !model.contains(Id(target)) {
                found.push((id, Id(target)));
            }
        });
    }
    found
}

/// A house of two storeys in IFC4, metres: walls with a type and a material, an opening with a door, spaces, a zone.
pub(crate) const HOUSE: &str = "\
#1=IFCPROJECT('0000000000000000000001',$,'House',$,$,$,$,$,#2);
#2=IFCUNITASSIGNMENT((#3,#4));
#3=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#4=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);
#5=IFCBUILDING('0000000000000000000005',$,'Building',$,$,#80,$,$,.ELEMENT.,$,$,$);
#6=IFCBUILDINGSTOREY('0000000000000000000006',$,'Ground floor',$,$,#81,$,$,.ELEMENT.,0.);
#7=IFCBUILDINGSTOREY('0000000000000000000007',$,'roof',$,$,#82,$,$,.ELEMENT.,2.4);
#8=IFCRELAGGREGATES('0000000000000000000008',$,$,$,#1,(#5));
#9=IFCRELAGGREGATES('0000000000000000000009',$,$,$,#5,(#6,#7));
#10=IFCWALL('000000000000000000000A',$,'North wall',$,$,#83,$,'w1',.SOLIDWALL.);
#11=IFCWALLSTANDARDCASE('000000000000000000000B',$,'South wall',$,'Thick',$,$,$,.USERDEFINED.);
#12=IFCSLAB('000000000000000000000C',$,'Floor',$,$,$,$,$,.FLOOR.);
#13=IFCDOOR('000000000000000000000D',$,'Front door',$,$,#84,$,$,2.1,0.9,.DOOR.,$,$);
#14=IFCOPENINGELEMENT('000000000000000000000E',$,'Hole',$,$,$,$,$,$);
#15=IFCRELVOIDSELEMENT('000000000000000000000F',$,$,$,#10,#14);
#16=IFCRELFILLSELEMENT('000000000000000000000G',$,$,$,#14,#13);
#17=IFCRELCONTAINEDINSPATIALSTRUCTURE('000000000000000000000H',$,$,$,(#10,#11,#13),#6);
#18=IFCRELCONTAINEDINSPATIALSTRUCTURE('000000000000000000000I',$,$,$,(#12),#7);
#19=IFCSPACE('000000000000000000000J',$,'bedroom 1',$,$,$,$,'Schlafzimmer',.ELEMENT.,.INTERNAL.,$);
#20=IFCSPACE('000000000000000000000K',$,'Bathroom',$,$,$,$,$,.ELEMENT.,.INTERNAL.,$);
#21=IFCRELAGGREGATES('000000000000000000000L',$,$,$,#6,(#19,#20));
#22=IFCWALLTYPE('000000000000000000000M',$,'WT01',$,$,(#30),$,$,$,.PARTITIONING.);
#23=IFCRELDEFINESBYTYPE('000000000000000000000N',$,$,$,(#10),#22);
#30=IFCPROPERTYSET('000000000000000000000O',$,'Pset_WallCommon',$,(#31,#32));
#31=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F90'),$);
#32=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.F.),$);
#33=IFCPROPERTYSET('000000000000000000000P',$,'Pset_WallCommon',$,(#34,#35,#36));
#34=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);
#35=IFCPROPERTYENUMERATEDVALUE('Status',$,(IFCLABEL('NEW')),$);
#36=IFCPROPERTYSINGLEVALUE('ThermalTransmittance',$,IFCTHERMALTRANSMITTANCEMEASURE(0.24),$);
#37=IFCRELDEFINESBYPROPERTIES('000000000000000000000Q',$,$,$,(#10,#11),#33);
#38=IFCELEMENTQUANTITY('000000000000000000000R',$,'Qto_WallBaseQuantities',$,$,(#39,#40));
#39=IFCQUANTITYLENGTH('Length',$,$,7.,$);
#40=IFCQUANTITYAREA('NetSideArea',$,$,18.9,$);
#41=IFCRELDEFINESBYPROPERTIES('000000000000000000000S',$,$,$,(#10),#38);
#42=IFCPROPERTYSET('000000000000000000000T',$,'My set',$,(#43,#44,#45,#46));
#43=IFCPROPERTYBOUNDEDVALUE('Load',$,IFCREAL(5.),IFCREAL(1.),$,IFCREAL(3.));
#44=IFCPROPERTYLISTVALUE('Steps',$,(IFCINTEGER(1),IFCINTEGER(2)),$);
#45=IFCCOMPLEXPROPERTY('Lock',$,'Lock',(#47));
#46=IFCPROPERTYTABLEVALUE('Curve',$,(IFCREAL(0.),IFCREAL(1.)),(IFCREAL(10.),IFCREAL(20.)),$,$,$,$);
#47=IFCPROPERTYSINGLEVALUE('Cylinder',$,IFCLABEL('C1'),$);
#48=IFCRELDEFINESBYPROPERTIES('000000000000000000000U',$,$,$,(#13),#42);
#50=IFCMATERIAL('Reinforced concrete',$,'concrete');
#51=IFCMATERIAL('Plaster',$,$);
#52=IFCMATERIALLAYER(#50,0.2,$,$,$,$,$);
#53=IFCMATERIALLAYER(#51,0.01,$,$,$,$,$);
#54=IFCMATERIALLAYERSET((#52,#53),'Wall build-up',$);
#55=IFCMATERIALLAYERSETUSAGE(#54,.AXIS2.,.POSITIVE.,0.,$);
#56=IFCRELASSOCIATESMATERIAL('000000000000000000000V',$,$,$,(#10),#55);
#57=IFCRELASSOCIATESMATERIAL('000000000000000000000W',$,$,$,(#12),#50);
#60=IFCZONE('000000000000000000000X',$,'Flat 1',$,$,$);
#61=IFCRELASSIGNSTOGROUP('000000000000000000000Y',$,$,$,(#19,#20),$,#60);
#62=IFCCLASSIFICATION($,$,$,'Uniclass',$,$,$);
#63=IFCCLASSIFICATIONREFERENCE($,'EF_25_10','Walls',#62,$,$);
#64=IFCRELASSOCIATESCLASSIFICATION('000000000000000000000Z',$,$,$,(#22),#63);
#80=IFCLOCALPLACEMENT($,#90);
#81=IFCLOCALPLACEMENT(#80,#90);
#82=IFCLOCALPLACEMENT(#80,#91);
#83=IFCLOCALPLACEMENT(#81,#92);
#84=IFCLOCALPLACEMENT(#83,#93);
#90=IFCAXIS2PLACEMENT3D(#94,$,$);
#91=IFCAXIS2PLACEMENT3D(#95,$,$);
#92=IFCAXIS2PLACEMENT3D(#96,$,#98);
#93=IFCAXIS2PLACEMENT3D(#97,$,$);
#94=IFCCARTESIANPOINT((0.,0.,0.));
#95=IFCCARTESIANPOINT((0.,0.,2.4));
#96=IFCCARTESIANPOINT((10.,0.,0.));
#97=IFCCARTESIANPOINT((1.,0.,0.));
#98=IFCDIRECTION((0.,1.,0.));";

/// A whole file of two walls in a storey.
pub(crate) const WALLS: &str = "ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('house.ifc','2026-01-02T03:04:05',('A'),('B'),'p','o','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCCARTESIANPOINT((0.,0.,0.));
#2= IFCAXIS2PLACEMENT3D(#1,$,$);
#3=IFCLOCALPLACEMENT($,#2);
#4=IFCWALL('0Wall00000000000000001',$,'W1',$,$,#3,$,$,.STANDARD.);
#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);
#6=IFCBUILDINGSTOREY('0Storey000000000000001',$,'EG',$,$,#3,$,$,.ELEMENT.,0.);
#7=IFCRELCONTAINEDINSPATIALSTRUCTURE('0Rel000000000000000001',$,$,$,(#4,#5),#6);
ENDSEC;
END-ISO-10303-21;
";
