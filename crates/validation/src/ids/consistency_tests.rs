//! Tests that what is kept, read late and done by many threads gives what plain look-ups give, one after the other.

use super::check::{Failure, RequirementResult, WORTH};
use super::context::Context;
use super::reverse::Step;
use super::tests::files;
use super::*;
use ifc::psets::{self, PropertySet};
use ifc::relations::Links;
use ifc::{Id, Model};

fn opened(name: &str) -> Option<Model> {
    let path = testing::model(&format!("{name}.ifc"))?;
    Some(Model::open(&path, &ifc::Limits::default()).unwrap().0)
}

const MODELS: [&str; 3] = ["Duplex_A_20110907", "AC20-FZK-Haus", "SampleHouse4"];

#[test]
fn relations_read_at_once_are_those_looked_for_one_by_one() {
    for name in MODELS {
        let Some(model) = opened(name) else { continue };
        let (context, links) = (Context::new(&model), Links::of_one(&model));
        let mut found = 0;
        for id in model.ids().filter(|id| model.get(*id).is_some_and(|own| own.is_a("IfcRoot"))) {
            for step in Step::ALL {
                let (end, other) = step.ends();
                let across = context.relations.across(id, step);
                found += across.len();
                assert_eq!(across, links.across(id, end, other), "{name} {id} {step:?}");
            }
        }
        assert!(found > 500, "{name}: {found}");
    }
}

/// The sets of an element by name, read whole: its own properties over those of its type.
fn whole_sets(model: &Model, element: Id) -> Vec<PropertySet> {
    let links = Links::of_one(model);
    let (own, inherited) = psets::definitions_of(&links, element);
    // a type has its sets as its own
    let is_type = model.get(element).is_some_and(|own| own.is_a("IfcTypeObject"));
    let inherited = if is_type { Vec::new() } else { inherited };
    let mut sets: Vec<PropertySet> = Vec::new();
    for set in own.into_iter().chain(inherited).filter_map(|id| psets::property_set(model, id)) {
        match sets.iter_mut().find(|known| known.name == set.name) {
            None => sets.push(set),
            Some(known) => {
                let is_new =
                    |own: &psets::Property| !known.properties.iter().any(|known| known.name == own.name);
                let further: Vec<_> = set.properties.into_iter().filter(is_new).collect();
                known.properties.extend(further);
            }
        }
    }
    sets
}

fn same_sets(model: &Model) -> usize {
    let context = Context::new(model);
    let mut count = 0;
    for id in model.of_class("IfcObjectDefinition").into_iter().chain(model.of_class("IfcMaterial")) {
        let whole = whole_sets(model, id);
        let element = context.element(id);
        let late = context.property_sets(&element);
        assert_eq!(late.len(), whole.len(), "{id}");
        for (late, whole) in late.iter().zip(whole) {
            assert_eq!(late.name(), whole.name, "{id}");
            let properties: Vec<_> = late.properties(|_| true).cloned().collect();
            assert_eq!(properties, whole.properties, "{id} {}", whole.name);
            for property in &properties {
                let alone = late.properties(|name| name == property.name);
                let wanted: Vec<_> = properties.iter().filter(|own| own.name == property.name).collect();
                assert_eq!(alone.collect::<Vec<_>>(), wanted, "{id} {}", whole.name);
            }
            count += properties.len();
        }
    }
    count
}

#[test]
fn properties_read_when_asked_for_are_those_of_sets_read_whole() {
    for name in MODELS {
        let Some(model) = opened(name) else { continue };
        let count = same_sets(&model);
        assert!(count > 100, "{name}: {count}");
    }
    // an own set and two of the type bear one name; a property comes twice in one, and what is no property stands among them
    let model = super::tests::model(
        "IFC4",
        "#1=IFCWALL('1hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,$);#2=IFCWALLTYPE('2hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,(#5,#6,#7),$,$,$,.SOLIDWALL.);\
         #3=IFCRELDEFINESBYTYPE('3hqIFTRjfV6AWq_bMtnZwI',$,$,$,(#1),#2);#4=IFCRELDEFINESBYPROPERTIES('4hqIFTRjfV6AWq_bMtnZwI',$,$,$,(#1),#8);\
         #5=IFCPROPERTYSET('5hqIFTRjfV6AWq_bMtnZwI',$,'Same',$,(#10,#11,#11,#13));#6=IFCPROPERTYSET('6hqIFTRjfV6AWq_bMtnZwI',$,'Same',$,(#11,#12));\
         #7=IFCDOORLININGPROPERTIES('7hqIFTRjfV6AWq_bMtnZwI',$,'Other',$,12.,$,$,$,$,$,$,$,$,$,$,$,$);\
         #8=IFCPROPERTYSET('8hqIFTRjfV6AWq_bMtnZwI',$,'Same',$,(#9,#14,#99));#9=IFCPROPERTYSINGLEVALUE('A',$,IFCLABEL('own'),$);\
         #10=IFCPROPERTYSINGLEVALUE('A',$,IFCLABEL('type'),$);#11=IFCPROPERTYSINGLEVALUE('B',$,IFCLABEL('b'),$);\
         #12=IFCPROPERTYSINGLEVALUE('C',$,IFCLABEL('c'),$);#13=IFCMATERIAL('D',$,$);#14=IFCMATERIAL('B',$,$);",
    );
    assert!(same_sets(&model) > 5);
}

/// All specifications of the suite and those that the model meets, each class asked so often that it is worth many threads.
fn documents(model: &Model) -> Option<Document> {
    let mut all = from_model(model, "All");
    for own in &mut all.specifications {
        let requirements = own.requirements.clone();
        while own.requirements.len() < WORTH / 8 && !requirements.is_empty() {
            own.requirements.extend(requirements.iter().cloned());
        }
    }
    for path in files(&testing::data("ids")?, "ids") {
        all.specifications.extend(read(&std::fs::read(path).unwrap()).unwrap().document.specifications);
    }
    Some(all)
}

/// The results of requirements on some instances, with nothing kept from one to the next.
fn one_by_one(model: &Model, ids: &[Id], requirements: &[Requirement]) -> Vec<RequirementResult> {
    let result = |requirement| {
        let failed: Vec<Failure> = ids
            .iter()
            .filter_map(|id| {
                let context = Context::new(model);
                let reason = context.failure(&context.element(*id), requirement)?;
                Some(Failure { id: *id, reason })
            })
            .collect();
        RequirementResult { passed: ids.len() - failed.len(), failed }
    };
    requirements.iter().map(result).collect()
}

#[test]
fn results_of_many_specifications_are_those_of_each_alone_and_of_each_instance_alone() {
    for name in MODELS {
        let Some(model) = opened(name) else { continue };
        let Some(document) = documents(&model) else { continue };
        let together = check(&document, &model, false, &mut || true).unwrap();
        let (mut parallel, mut failures) = (0, 0);
        for (own, result) in document.specifications.iter().zip(&together.specifications) {
            let alone = Document { specifications: vec![own.clone()], ..Document::default() };
            let alone = check(&alone, &model, false, &mut || true).unwrap();
            assert_eq!(&alone.specifications[0], result, "{name} {}", own.name);
            parallel += usize::from(result.applicable.len() * own.requirements.len() >= WORTH);
            failures += result.requirements.iter().map(|own| own.failed.len()).sum::<usize>();
            let (some, few) = (result.applicable.len().min(5), own.requirements.len().min(12));
            let lone = one_by_one(&model, &result.applicable[..some], &own.requirements[..few]);
            for (lone, whole) in lone.into_iter().zip(&result.requirements) {
                let is_among = |failure: &&Failure| result.applicable[..some].contains(&failure.id);
                let whole: Vec<Failure> = whole.failed.iter().filter(is_among).cloned().collect();
                assert_eq!(
                    lone,
                    RequirementResult { passed: some - whole.len(), failed: whole },
                    "{name} {}",
                    own.name
                );
            }
        }
        assert!(parallel > 2 && failures > 100, "{name}: {parallel} parallel, {failures} failures");
    }
}

#[test]
fn a_check_that_is_no_longer_wanted_ends() {
    let Some(model) = opened("AC20-FZK-Haus") else { return };
    let document = from_model(&model, "All");
    let mut left = 3;
    let mut asked = || {
        left -= 1;
        left > 0
    };
    assert_eq!(check(&document, &model, false, &mut asked), None);
}
