//! The policy file: TOML, checked whole when it is read. What it says wrong is answered with the line and what to do; what
//! it does not say is not granted.

use crate::limits::LimitsOf;
use crate::policy::{Cost, Gate, Grant, Known, Policy, Role, built_in};
use crate::scope::{IsA, Pattern, Scope};
use crate::token::Issuer;
use contract::Action;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use toml::Spanned;

/// A fault in a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyError {
    /// The line, from 1.
    pub line: usize,
    /// The fault, and what to do.
    pub message: String,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for PolicyError {}

type Names = Vec<Spanned<String>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    local: Option<LocalFile>,
    #[serde(default)]
    roles: BTreeMap<String, RoleFile>,
    #[serde(default)]
    principals: BTreeMap<String, KnownFile>,
    #[serde(default)]
    disciplines: BTreeMap<String, Names>,
    #[serde(default)]
    gates: Vec<GateFile>,
    cost: Option<CostFile>,
    #[serde(default)]
    limits: LimitsFile,
    oauth: Option<OauthFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LocalFile {
    roles: Names,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleFile {
    #[serde(default)]
    includes: Names,
    #[serde(default)]
    grants: Vec<Spanned<GrantFile>>,
    #[serde(default)]
    limits: LimitsFile,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantFile {
    actions: Names,
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    storeys: Names,
    #[serde(default)]
    classes: Names,
    #[serde(default)]
    disciplines: Names,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownFile {
    #[serde(default)]
    roles: Names,
    person: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GateFile {
    name: Spanned<String>,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    actions: Names,
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    storeys: Vec<String>,
    #[serde(default)]
    classes: Names,
    #[serde(default)]
    disciplines: Names,
    #[serde(default)]
    elements: u64,
    #[serde(default)]
    cost: u64,
    #[serde(default)]
    except: Names,
    #[serde(default)]
    rank: u32,
    #[serde(default)]
    approvers: Names,
    #[serde(default = "three_days")]
    expires_hours: u64,
    #[serde(default)]
    elicitation: bool,
}

fn three_days() -> u64 {
    72
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostFile {
    added: Option<u64>,
    modified: Option<u64>,
    removed: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LimitsFile {
    calls_per_minute: Option<u64>,
    concurrent_calls: Option<u64>,
    bytes_in_per_hour: Option<u64>,
    bytes_out_per_hour: Option<u64>,
    open_models: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct OauthFile {
    issuer: Spanned<String>,
    audience: Spanned<Vec<String>>,
    jwks_url: Option<Spanned<String>>,
    #[serde(default)]
    algorithms: Names,
    principal_claim: Option<String>,
    principal_prefix: Option<String>,
    roles_claim: Option<String>,
    #[serde(default)]
    roles: BTreeMap<String, Names>,
    #[serde(default)]
    roles_as_named: bool,
    #[serde(default)]
    scopes: BTreeMap<String, Names>,
}

/// Reads a policy. `is_a` tells which classes there are: one that descends from nothing, not even from itself, is unknown.
pub fn parse(text: &str, is_a: IsA) -> Result<Policy, PolicyError> {
    let reader = Reader { text, is_a };
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.error(at, error.message().trim())
    })?;
    reader.policy(&file)
}

struct Reader<'a> {
    text: &'a str,
    is_a: IsA,
}

impl Reader<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> PolicyError {
        let before = self.text.get(..at).unwrap_or_default();
        PolicyError { line: before.matches('\n').count() + 1, message: message.into() }
    }

    fn line(&self, at: usize) -> usize {
        self.error(at, "").line
    }

    fn policy(&self, file: &File) -> Result<Policy, PolicyError> {
        let disciplines = self.disciplines(&file.disciplines)?;
        let mut roles = built_in();
        for (name, role) in &file.roles {
            let grants = role
                .grants
                .iter()
                .map(|grant| self.grant(name, grant, &disciplines))
                .collect::<Result<_, _>>()?;
            roles.insert(name.clone(), Role { grants, limits: limits(&role.limits) });
        }
        self.include(&file.roles, &mut roles)?;
        let known = |names: &Names| self.roles(names, &roles);
        let mut principals = BTreeMap::new();
        for (name, entry) in &file.principals {
            let entry = Known { roles: known(&entry.roles)?, person: entry.person.clone() };
            principals.insert(name.clone(), entry);
        }
        let mut gates: Vec<Gate> = Vec::new();
        for gate in &file.gates {
            let read = self.gate(gate, &roles, &disciplines)?;
            if gates.iter().any(|other| other.name == read.name) {
                let message = format!("there are two gates `{}`; give each a name of its own", read.name);
                return Err(self.error(gate.name.span().start, message));
            }
            gates.push(read);
        }
        let plain = Cost::default();
        let cost = file.cost.as_ref().map_or(plain, |cost| Cost {
            added: cost.added.unwrap_or(plain.added),
            modified: cost.modified.unwrap_or(plain.modified),
            removed: cost.removed.unwrap_or(plain.removed),
        });
        let local = file.local.as_ref().map(|local| known(&local.roles)).transpose()?;
        Ok(Policy {
            read_only: file.read_only,
            principals,
            local: local.unwrap_or_else(|| vec!["admin".to_owned()]),
            gates,
            cost,
            limits: limits(&file.limits),
            issuer: file.oauth.as_ref().map(|oauth| self.issuer(oauth, &roles)).transpose()?,
            roles,
        })
    }

    /// Adds the grants of included roles, however deep. A role that includes itself adds nothing, and is an error.
    fn include(
        &self,
        files: &BTreeMap<String, RoleFile>,
        roles: &mut BTreeMap<String, Role>,
    ) -> Result<(), PolicyError> {
        let own: BTreeMap<String, Vec<Grant>> =
            roles.iter().map(|(name, role)| (name.clone(), role.grants.clone())).collect();
        for (name, file) in files {
            let mut seen = BTreeSet::from([name.clone()]);
            let mut open: Vec<&Spanned<String>> = file.includes.iter().collect();
            while let Some(next) = open.pop() {
                let Some(grants) = own.get(next.get_ref()) else { return Err(self.no_role(next, roles)) };
                if next.get_ref() == name {
                    return Err(self.error(
                        next.span().start,
                        format!("the role `{name}` includes itself; take `{name}` out of one of the lists"),
                    ));
                }
                if !seen.insert(next.get_ref().clone()) {
                    continue;
                }
                if let Some(role) = roles.get_mut(name) {
                    role.grants.extend(grants.iter().cloned());
                }
                open.extend(files.get(next.get_ref()).iter().flat_map(|file| &file.includes));
            }
        }
        Ok(())
    }

    fn grant(
        &self,
        role: &str,
        grant: &Spanned<GrantFile>,
        disciplines: &BTreeMap<String, Vec<String>>,
    ) -> Result<Grant, PolicyError> {
        let (at, grant) = (grant.span().start, grant.get_ref());
        let actions: BTreeSet<Action> = self.actions(&grant.actions)?.into_iter().collect();
        if actions.is_empty() {
            return Err(self.error(at, "a grant has to name `actions`, such as [\"query\"]"));
        }
        let classes = self.classes(&grant.classes, &grant.disciplines, disciplines)?;
        let narrow = grant.storeys.iter().chain(&grant.classes).chain(&grant.disciplines).next();
        let whole = actions.iter().find(|action| !action.changes_models());
        if let (Some(narrow), Some(whole)) = (narrow, whole) {
            return Err(self.error(
                narrow.span().start,
                format!(
                    "storeys, classes and disciplines narrow create, modify and delete; `{whole}` is about a whole \
                     model. Put `{whole}` into a grant of its own, with `models` alone"
                ),
            ));
        }
        let scope = Scope {
            models: patterns(&grant.models),
            storeys: grant.storeys.iter().map(|name| Pattern::new(name.get_ref().as_str())).collect(),
            classes,
        };
        let rule = format!("role {role}, the grant in line {} ({})", self.line(at), scope.words());
        Ok(Grant { actions, scope, rule })
    }

    fn gate(
        &self,
        gate: &GateFile,
        roles: &BTreeMap<String, Role>,
        disciplines: &BTreeMap<String, Vec<String>>,
    ) -> Result<Gate, PolicyError> {
        let actions = self.actions(&gate.actions)?;
        for (action, written) in actions.iter().zip(&gate.actions) {
            if !action.changes_models() {
                let message = format!(
                    "a gate holds up changes; `{action}` changes nothing. Use create, modify or delete here"
                );
                return Err(self.error(written.span().start, message));
            }
        }
        if gate.expires_hours == 0 {
            let message = "`expires-hours` has to be at least 1";
            return Err(self.error(gate.name.span().start, message));
        }
        let approvers = self.roles(&gate.approvers, roles)?;
        for (role, written) in approvers.iter().zip(&gate.approvers) {
            let may = roles
                .get(role)
                .is_some_and(|role| role.grants.iter().any(|grant| grant.actions.contains(&Action::Approve)));
            if !may {
                let message = format!("the role `{role}` is not granted `approve`; grant it or name another");
                return Err(self.error(written.span().start, message));
            }
        }
        Ok(Gate {
            name: gate.name.get_ref().clone(),
            tools: patterns(&gate.tools),
            actions,
            scope: Scope {
                models: patterns(&gate.models),
                storeys: patterns(&gate.storeys),
                classes: self.classes(&gate.classes, &gate.disciplines, disciplines)?,
            },
            elements: gate.elements,
            cost: gate.cost,
            except: self.roles(&gate.except, roles)?,
            rank: gate.rank,
            approvers,
            expires_hours: gate.expires_hours,
            elicitation: gate.elicitation,
        })
    }

    fn issuer(&self, oauth: &OauthFile, roles: &BTreeMap<String, Role>) -> Result<Issuer, PolicyError> {
        let issuer = oauth.issuer.get_ref().trim_end_matches('/').to_owned();
        for (written, at) in std::iter::once((oauth.issuer.get_ref(), oauth.issuer.span().start))
            .chain(oauth.jwks_url.as_ref().map(|url| (url.get_ref(), url.span().start)))
        {
            if !is_safe_url(written) {
                let message =
                    format!("`{written}` has to begin with https:// (http:// only for this machine)");
                return Err(self.error(at, message));
            }
        }
        if oauth.audience.get_ref().is_empty() {
            let message = "`audience` has to name this server as its tokens do, such as [\"https://bim.example.org/mcp\"]";
            return Err(self.error(oauth.audience.span().start, message));
        }
        let mut algorithms = Vec::new();
        for name in &oauth.algorithms {
            if !Issuer::possible_algorithms().contains(&name.get_ref().as_str()) {
                let known = Issuer::possible_algorithms().join(", ");
                let message = format!("`{}` is not one of the algorithms {known}", name.get_ref());
                return Err(self.error(name.span().start, message));
            }
            algorithms.push(name.get_ref().clone());
        }
        if algorithms.is_empty() {
            algorithms = ["RS256", "ES256"].map(str::to_owned).into();
        }
        let map = |table: &BTreeMap<String, Names>| -> Result<BTreeMap<_, _>, PolicyError> {
            table.iter().map(|(key, names)| Ok((key.clone(), self.roles(names, roles)?))).collect()
        };
        Ok(Issuer {
            jwks_url: oauth
                .jwks_url
                .as_ref()
                .map_or_else(|| format!("{issuer}/.well-known/jwks.json"), |url| url.get_ref().clone()),
            // as it stands in tokens, letter by letter
            issuer: oauth.issuer.get_ref().clone(),
            audience: oauth.audience.get_ref().clone(),
            algorithms,
            principal_claim: oauth.principal_claim.clone().unwrap_or_else(|| "sub".to_owned()),
            principal_prefix: oauth.principal_prefix.clone().unwrap_or_else(|| "oauth:".to_owned()),
            roles_claim: oauth.roles_claim.clone().unwrap_or_else(|| "roles".to_owned()),
            roles: map(&oauth.roles)?,
            roles_as_named: oauth.roles_as_named,
            scopes: map(&oauth.scopes)?,
        })
    }

    fn actions(&self, names: &Names) -> Result<Vec<Action>, PolicyError> {
        let read = |name: &Spanned<String>| {
            Action::from_name(name.get_ref()).ok_or_else(|| {
                let known = Action::ALL.map(Action::as_str).join(", ");
                let message = format!("`{}` is not one of the actions {known}", name.get_ref());
                self.error(name.span().start, message)
            })
        };
        names.iter().map(read).collect()
    }

    fn roles(&self, names: &Names, roles: &BTreeMap<String, Role>) -> Result<Vec<String>, PolicyError> {
        let read = |name: &Spanned<String>| {
            let known = roles.contains_key(name.get_ref());
            if known { Ok(name.get_ref().clone()) } else { Err(self.no_role(name, roles)) }
        };
        names.iter().map(read).collect()
    }

    fn no_role(&self, name: &Spanned<String>, roles: &BTreeMap<String, Role>) -> PolicyError {
        let known: Vec<&str> = roles.keys().map(String::as_str).collect();
        let message = format!(
            "there is no role `{}`; the roles are {}. Add [roles.{}] or name one of them",
            name.get_ref(),
            known.join(", "),
            name.get_ref()
        );
        self.error(name.span().start, message)
    }

    fn disciplines(
        &self,
        own: &BTreeMap<String, Names>,
    ) -> Result<BTreeMap<String, Vec<String>>, PolicyError> {
        let mut disciplines: BTreeMap<String, Vec<String>> = DISCIPLINES
            .iter()
            .map(|(name, classes)| {
                ((*name).to_owned(), classes.iter().map(|class| (*class).to_owned()).collect())
            })
            .collect();
        for (name, classes) in own {
            disciplines.insert(name.clone(), self.classes(classes, &Vec::new(), &BTreeMap::new())?);
        }
        Ok(disciplines)
    }

    fn classes(
        &self,
        names: &Names,
        of: &Names,
        disciplines: &BTreeMap<String, Vec<String>>,
    ) -> Result<Vec<String>, PolicyError> {
        let mut classes = Vec::new();
        for name in names {
            if !(self.is_a)(name.get_ref(), name.get_ref()) {
                let message = format!(
                    "`{}` is no class of IFC2X3, IFC4 or IFC4X3; write it as the schema does, such as IfcWall",
                    name.get_ref()
                );
                return Err(self.error(name.span().start, message));
            }
            classes.push(name.get_ref().clone());
        }
        for name in of {
            let Some(found) = disciplines.get(name.get_ref()) else {
                let known: Vec<&str> = disciplines.keys().map(String::as_str).collect();
                let message = format!(
                    "there is no discipline `{}`; there are {}. Add it under [disciplines] with its classes",
                    name.get_ref(),
                    known.join(", ")
                );
                return Err(self.error(name.span().start, message));
            };
            classes.extend(found.iter().cloned());
        }
        Ok(classes)
    }
}

fn patterns(texts: &[String]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::new(text.as_str())).collect()
}

fn limits(file: &LimitsFile) -> LimitsOf {
    LimitsOf {
        calls_per_minute: file.calls_per_minute,
        concurrent_calls: file.concurrent_calls,
        bytes_in_per_hour: file.bytes_in_per_hour,
        bytes_out_per_hour: file.bytes_out_per_hour,
        open_models: file.open_models,
    }
}

/// Keys that come over a line that others can write to would be no proof of anything.
fn is_safe_url(url: &str) -> bool {
    let local = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"];
    url.starts_with("https://") || local.iter().any(|start| url.starts_with(start))
}

/// The disciplines that are there without being said, by the domains of the schema (ISO 16739-1, clauses 5 to 7).
const DISCIPLINES: [(&str, &[&str]); 3] = [
    (
        "architecture",
        &[
            "IfcWall",
            "IfcDoor",
            "IfcWindow",
            "IfcRoof",
            "IfcStair",
            "IfcStairFlight",
            "IfcRamp",
            "IfcRampFlight",
            "IfcRailing",
            "IfcCovering",
            "IfcCurtainWall",
            "IfcSpace",
            "IfcFurnishingElement",
            "IfcSlab",
            "IfcOpeningElement",
            "IfcBuildingElementProxy",
            "IfcZone",
        ],
    ),
    (
        "structure",
        &[
            "IfcColumn",
            "IfcBeam",
            "IfcMember",
            "IfcPlate",
            "IfcFooting",
            "IfcPile",
            "IfcSlab",
            "IfcElementComponent",
            "IfcStructuralItem",
            "IfcStructuralActivity",
            "IfcStructuralAnalysisModel",
        ],
    ),
    ("services", &["IfcDistributionElement", "IfcDistributionPort", "IfcSystem"]),
];
