"""Runs the same selectors through Pensaer and IfcOpenShell on real models and compares what they find.

    cargo build -p ifc --example ifc
    python tests/python/compare_selectors.py target/debug/examples/ifc MODEL.ifc …

Prints how many agree; every difference is shown and makes the exit code 1.
"""

import json
import subprocess
import sys

import ifcopenshell
import ifcopenshell.util.selector as selector

SELECTORS = r"""
IfcWall
IfcWallStandardCase
IfcProduct
IfcElement, !IfcWall
IfcElement, !IfcWall, !IfcDoor
!IfcWall
IfcWall, IfcSlab
IfcWall + IfcDoor
IfcWall+IfcDoor+IfcWindow
IfcElementType
IfcTypeProduct
IfcSpace
IfcBuildingStorey
IfcMaterial
IfcPropertySet
IfcRelAggregates
IfcOpeningElement
IfcNothing
IfcWall, Name=/.*/
IfcElement, Name=/.*[0-9]$/
IfcElement, Name=/[A-M]/
IfcElement, Name!=/[A-M]/
IfcElement, Name*=a
IfcElement, Name!*=a
IfcElement, Name=NULL
IfcElement, Name!=NULL
IfcElement, Tag!=NULL
IfcElement, Description=NULL
IfcElement, ObjectType!=NULL
Name=/.*a.*/
Name*=e, IfcWall
IfcBuildingStorey, Elevation>0
IfcBuildingStorey, Elevation<"2.5"
IfcBuildingStorey, Elevation>=2.7
IfcBuildingStorey, Elevation<=0
IfcBuildingStorey, Elevation=0
IfcBuildingStorey, Elevation!=0
IfcBuildingStorey, Elevation=ground
IfcBuildingStorey, Elevation!=ground
IfcDoor, OverallWidth>0.8
IfcDoor, OverallWidth>800
IfcDoor, OverallHeight>=2.0
IfcWindow, OverallHeight<2
IfcElement, PredefinedType=NOTDEFINED
IfcElement, PredefinedType!=NOTDEFINED
IfcSlab, PredefinedType=FLOOR
IfcSlab, PredefinedType=/F.*/
IfcElement, ObjectPlacement=NULL
IfcElement, ObjectPlacement!=NULL
IfcElement, HasOpenings=NULL
IfcElement, FillsVoids!=NULL
IfcElement, NoSuchAttribute=NULL
IfcElement, NoSuchAttribute=x
IfcWall, Pset_WallCommon.IsExternal=TRUE
IfcWall, Pset_WallCommon.IsExternal=FALSE
IfcWall, Pset_WallCommon.IsExternal!=TRUE
IfcWall, Pset_WallCommon.IsExternal=NULL
IfcWall, Pset_WallCommon.IsExternal=1
IfcWall, Pset_WallCommon.LoadBearing!=NULL
IfcElement, /Pset_.*Common/.IsExternal=TRUE
IfcElement, /Pset_.*Common/.Reference=/[A-Z].*/
IfcElement, /Pset_.*/./.*Rating/!=NULL
IfcElement, Pset_WallCommon./Is.*/=TRUE
IfcElement, Pset_DoorCommon.FireRating=NULL
IfcSpace, /.*/.Reference!=NULL
IfcElement, /.*/./.*/=NULL
IfcElement, /Qto_.*/.Length>3
IfcElement, /.*BaseQuantities/.Height>=2.5
IfcElement, /.*Quantities/./.*Area/>10
IfcSpace, BaseQuantities.NetFloorArea>20
IfcSpace, Qto_SpaceBaseQuantities.NetFloorArea>20
IfcSpace, /.*BaseQuantities/.GrossFloorArea<=20.5
IfcElement, Pset_WallCommon.ThermalTransmittance>0.2
IfcElement, Pset_WallCommon.Status=NEW
IfcElement, Pset_DoorLiningProperties.LiningDepth!=NULL
IfcElement, "PSet_Revit_Dimensions".Length>1
IfcElement, PSet_Revit_Constraints."Base Offset"=0
IfcElement, "Construction Type"./.*/!=NULL
IfcElement, /PSet_Revit.*/./.*/!=NULL
IfcElement, /PSet_Revit_.*/.Area>=12.5
IfcElement, type!=NULL
IfcElement, type=NULL
IfcElement, type=/.*[0-9].*/
IfcElement, type*=a
IfcElement, material=/.*/
IfcElement, material=/[A-M].*/
IfcElement, material=concrete
IfcElement, classification=/.*/
IfcElement, location=/.*1.*/
IfcElement, location!=/.*1.*/
IfcElement, location="Level 1"
IfcElement, location=/E.*/
IfcSpace, location=/.*/
IfcBuildingStorey, location=/.*/
IfcElement, group=/.*/
IfcElement, group!=/.*/
IfcProduct, parent=/.*/
IfcElement, parent=/.*1.*/
IfcProduct, parent="Level 2"
IfcElement, query:class=IfcDoor
IfcElement, query:"storey.Name"=/.*1.*/
IfcElement, query:"storey.Elevation">1
IfcElement, query:"type.Name"!=NULL
IfcElement, query:"material.Name"!=NULL
IfcElement, query:"material.item.0.LayerThickness">0.1
IfcElement, query:"materials.Name"*=o
IfcElement, query:"materials.count"=1
IfcElement, query:"container.Name"=/.*/
IfcElement, query:"building.Name"=/.*/
IfcElement, query:predefined_type!=NULL
IfcElement, query:z>0.5
IfcElement, query:x<2
IfcElement, query:"Pset_WallCommon.IsExternal"=TRUE
IfcElement, query:"/Pset_.*Common/.Reference"!=NULL
IfcElement, query:"parent.Name"!=NULL
IfcElement, query:"type.Pset_WallCommon.IsExternal"=TRUE
IfcSpace, query:"space.Name"=NULL
IfcElement, Name=a+IfcWall
IfcWall, Name="x" + IfcDoor
IfcElement, Tag>1000
IfcWall /* walls */, Name!=NULL
IfcElement, classification=NULL
IfcTypeProduct, query:"occurrences.count">1
IfcTypeProduct, query:"types.count"=0
IfcTypeProduct, query:"occurrences.0.Name"!=NULL
IfcTypeProduct, query:"occurrences.class"=IfcDoor
IfcElement, query:id>500
IfcElement, query:rotation_z>1
IfcElement, query:rotation_z!=0
IfcElement, query:rotation_x>0.5
IfcElement, query:rotation_y<"-0.5"
IfcElement, query:easting>1
IfcElement, query:northing<5
IfcElement, query:elevation>=2.5
IfcProduct, query:"parent.x">0
IfcElement, query:"profiles.ProfileName"!=NULL
IfcElement, query:"profiles.class"=IfcRectangleProfileDef
IfcElement, query:"profiles.count">1
IfcElement, query:"profiles.0.XDim">0.1
IfcElement, query:"styles.Name"!=NULL
IfcElement, query:"mat.class"=IfcMaterialLayerSet
IfcElement, query:"mats.Name"*=e
IfcElement, query:"mat.i.count">1
IfcElement, query:"material.item.LayerThickness">0.1
IfcElement, query:"material.item.Material.Name"*=e
IfcElement, query:"type.occurrences.count">5
IfcElement, query:"type.type.Name"!=NULL
IfcElement, query:"type.predefined_type"!=NULL
IfcElement, query:"group.Name"!=NULL
IfcElement, query:"system.Name"!=NULL
IfcElement, query:"system.count">0
IfcSpace, query:"zone.Name"!=NULL
IfcSpace, query:"zone.count"=1
IfcElement, query:"classification.count">0
IfcElement, query:"classification.Name"!=NULL
IfcElement, query:"site.Name"!=NULL
IfcElement, query:"site.RefElevation">=0
IfcElement, query:"storey.building.Name"!=NULL
IfcElement, query:"space.LongName"!=NULL
IfcElement, query:"container.class"=IfcBuildingStorey
IfcElement, query:"parent.parent.Name"!=NULL
IfcElement, query:"OwnerHistory.OwningApplication.ApplicationFullName"!=NULL
IfcElement, query:"ObjectPlacement.PlacementRelTo"!=NULL
IfcElement, query:"Representation.Representations.0.RepresentationType"=SweptSolid
IfcElement, query:"Representation.Representations.RepresentationIdentifier"=Axis
IfcElement, query:"Representation.Representations.count">1
IfcElement, query:"HasOpenings.count">0
IfcElement, query:"HasOpenings.RelatedOpeningElement.Name"!=NULL
IfcElement, query:"ContainedInStructure.0.RelatingStructure.Name"!=NULL
IfcElement, query:"HasOpenings.0.RelatedOpeningElement.HasFillings.0.RelatedBuildingElement.class"=IfcDoor
IfcSpace, query:"BoundedBy.count">4
IfcSpace, query:"BoundedBy.RelatedBuildingElement.class"=IfcWallStandardCase
IfcElement, query:"/.*Common/./Is.*/"=TRUE
IfcElement, query:"/Pset_.*/.count"=2
IfcElement, query:"Pset_WallCommon.count"=1
IfcElement, query:"type./Pset_.*Common/.IsExternal"!=NULL
IfcDoor, query:"Pset_DoorCommon.FireRating"!=NULL
IfcDoor, query:"\"Pset_DoorCommon\".\"IsExternal\""=TRUE
IfcWall, Pset_WallCommon./.*/=TRUE
IfcWall, "Pset_WallCommon"."IsExternal"=TRUE
IfcElement, /Pset_(Wall|Slab)Common/.IsExternal!=NULL
IfcElement, /.*/.IsExternal!=TRUE
IfcElement, Name=/^[^:]+:.*$/
IfcElement, Name=/.*\d{3,}\Z/
IfcElement, Name=/(?i).*WALL.*/
IfcElement, Name=/.*[[]/
IfcElement, GlobalId=/[0-3].*/, Name!=NULL, type!=NULL
IfcElement, location!=NULL
IfcProduct, location=NULL
IfcElement, group=NULL
IfcElement, type!=/.*/
IfcElement, type!=NULL, material=/.*/, location=/.*/
IfcWall, Name!=NULL + IfcDoor, type!=NULL + IfcWindow
IfcWall, Name!=NULL, IfcDoor
IfcWall, Name=NULL, IfcDoor, Name!=NULL
IfcProduct, !IfcElement, !IfcSpatialStructureElement
IfcElement, !IfcWall, Name!=NULL, !IfcDoor
type!=NULL
location=/.*/, !IfcWall
Tag=NULL, IfcSpace
PredefinedType!=NULL
IfcObject, Name="O\"Brien"
IfcPropertySet, Name=/Pset_.*/
IfcMaterial, query:"Name"!=NULL
IfcRelContainedInSpatialStructure, query:"RelatedElements.count">3
IfcElement, Tag="" + IfcElement, Tag=NULL
""".strip().splitlines()


# Where Pensaer answers what the words say and IfcOpenShell does not: shown, not counted.
DELIBERATE = {
    'IfcElement, query:"styles.count">1': "IfcOpenShell does not look into IfcPresentationStyleAssignment",
    'IfcElement, query:"styles.0.Name"=/[A-Z].*/': "IfcOpenShell does not look into IfcPresentationStyleAssignment",
    "IfcElement, material*=a": "IfcOpenShell answers the complement",
    "IfcElement, material!=concrete": "IfcOpenShell leaves out whatever has a material",
    "IfcElement, classification*=a": "IfcOpenShell answers the complement",
    "IfcElement, location*=1": "IfcOpenShell answers the complement of location=1",
    "IfcProduct, parent*=1": "IfcOpenShell answers the complement",
    "IfcElement, material=NULL": "IfcOpenShell adds what has a material without a category, in IFC2X3 every one",
    "IfcElement, group*=a": "IfcOpenShell answers the complement of group=a",
    "IfcElement, parent!=/.*1.*/": "IfcOpenShell takes away what is below parents of another name, so nearly all",
}


def ids(found):
    return sorted(element.id() for element in found)


def compare(program, path):
    model = ifcopenshell.open(path)
    guids = [element.GlobalId for element in model.by_type("IfcWall")[:2]]
    selectors = SELECTORS + guids + [f"IfcWall, !{guid}" for guid in guids] + [f"IfcDoor + {guid}" for guid in guids]
    text = "\n".join(selectors) + "\n"
    answers = subprocess.run([*program, path], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    agreed, failed, undecided = 0, [], 0
    for query, answer in zip(selectors, answers, strict=True):
        ours = json.loads(answer)
        try:
            theirs = ids(selector.filter_elements(model, query))
        except Exception as error:  # a TypeError inside of IfcOpenShell is no answer to compare with
            undecided += 1
            print(f"  {query}: IfcOpenShell failed ({type(error).__name__}), we found {len(ours)}")
            continue
        if ours == theirs:
            agreed += 1
        else:
            missing = sorted(set(theirs) - set(ours))
            extra = sorted(set(ours) - set(theirs)) if all(isinstance(i, int) for i in ours) else ours
            failed.append(f"  {query}: theirs {len(theirs)}, ours {len(ours)}; we lack {missing[:5]}, have too much {extra[:5]}")
    print(f"{path}: {agreed} of {len(selectors) - undecided} agree")
    print("\n".join(failed), end="\n" if failed else "")
    text = "\n".join(DELIBERATE) + "\n"
    answers = subprocess.run([*program, path], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    for query, answer in zip(DELIBERATE, answers, strict=True):
        ours, theirs = json.loads(answer), ids(selector.filter_elements(model, query))
        if ours != theirs:
            print(f"  {query}: ours {len(ours)}, theirs {len(theirs)}: {DELIBERATE[query]}")
    return agreed, len(selectors) - undecided


if __name__ == "__main__":
    results = [compare([sys.argv[1], "select"], path) for path in sys.argv[2:]]
    agreed, total = (sum(column) for column in zip(*results))
    print(f"all: {agreed} of {total} selectors agree with IfcOpenShell {ifcopenshell.version}")
    sys.exit(agreed != total)
