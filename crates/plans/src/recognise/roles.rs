//! What a layer, block or group is for, by its name in the languages that plans are drawn in.
//!
//! Names are compared without case and accents. Words of CAD standards (AIA, ISO 13567 with CI/SfB) and of everyday drawings; a name that
//! holds a word for a note, a hatch or furniture is that, even if it names a wall, too.

/// The role of a layer or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Walls, cut.
    Wall,
    /// Doors.
    Door,
    /// Windows and glazing.
    Window,
    /// Openings without a filling.
    Opening,
    /// Columns.
    Column,
    /// Words, tags, outlines of rooms.
    Text,
    /// Dimensions.
    Dimension,
    /// Furniture, kitchens, equipment.
    Furniture,
    /// Sanitary objects.
    Sanitary,
    /// Stairs, ramps, lifts.
    Stair,
    /// Grids and axes.
    Grid,
    /// Hatches.
    Hatch,
    /// Sheets: frames, title blocks, viewports.
    Sheet,
    /// Slabs, roofs, sites, services: what is no part of the walls.
    Other,
    /// Its name says nothing.
    Unknown,
}

impl Role {
    /// Its name in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Door => "door",
            Self::Window => "window",
            Self::Opening => "opening",
            Self::Column => "column",
            Self::Text => "text",
            Self::Dimension => "dimension",
            Self::Furniture => "furniture",
            Self::Sanitary => "sanitary",
            Self::Stair => "stair",
            Self::Grid => "grid",
            Self::Hatch => "hatch",
            Self::Sheet => "sheet",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }

    /// The role of a name as [`Role::name`] says it.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|role| role.name() == name)
    }

    /// Every role.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter()
    }

    /// True if lines of this role may be faces of walls.
    pub(crate) fn may_be_wall(self) -> bool {
        matches!(self, Self::Wall | Self::Unknown)
    }
}

const ALL: [Role; 15] = [
    Role::Wall,
    Role::Door,
    Role::Window,
    Role::Opening,
    Role::Column,
    Role::Text,
    Role::Dimension,
    Role::Furniture,
    Role::Sanitary,
    Role::Stair,
    Role::Grid,
    Role::Hatch,
    Role::Sheet,
    Role::Other,
    Role::Unknown,
];

/// Words that a name may hold anywhere, then words that have to stand alone.
struct Row(Role, &'static [&'static str], &'static [&'static str]);

/// In the order in which they are looked for: a hatch of walls is a hatch.
const TABLE: [Row; 15] = [
    Row(
        Role::Dimension,
        &[
            "dimens",
            "bemas",
            "bemaß",
            "cotation",
            "acotad",
            "acotac",
            "quotat",
            "quotatur",
            "maatvoer",
            "mattsatt",
            "malsatt",
            "maling",
            "wymiar",
            "koty",
            "olcu",
            "размер",
            "розмір",
            "尺寸",
            "寸法",
            "标注",
            "標註",
            "치수",
            "medidas",
            "mitoit",
            "mitat",
            "meretez",
            "kotirov",
            "kotiranj",
        ],
        &[
            "dim", "dims", "cota", "cotas", "cote", "cotes", "cotes", "quote", "quota", "mass", "masse",
            "maat", "maten", "kota", "koty", "meret", "matt", "mal",
        ],
    ),
    Row(
        Role::Hatch,
        &[
            "hatch",
            "schraff",
            "hachure",
            "sombread",
            "tratteg",
            "campitur",
            "retino",
            "arcering",
            "skraver",
            "skraffer",
            "kreskow",
            "sraf",
            "tarama",
            "штрих",
            "填充",
            "ハッチ",
            "해치",
            "pattern",
            "poche",
            "vulling",
            "rasterit",
        ],
        &["patt", "hatch", "trama", "fill", "fills", "fullung", "relleno"],
    ),
    Row(
        Role::Text,
        &[
            "text",
            "texte",
            "testo",
            "teksti",
            "tekst",
            "annot",
            "beschrift",
            "label",
            "raumname",
            "raumstempel",
            "raumnum",
            "roomname",
            "room name",
            "room-name",
            "room_name",
            "rotulo",
            "надпис",
            "текст",
            "подпис",
            "文字",
            "文本",
            "注释",
            "房间名",
            "室名",
            "문자",
            "legend",
            "szoveg",
            "popisk",
            "opisy",
            "yazi",
            "κειμεν",
            "etichet",
            "rm-name",
            "roomtag",
            "room-tag",
            "scritt",
            "leyenda",
        ],
        &[
            "txt", "anno", "note", "notes", "iden", "tag", "tags", "symb", "redl", "levl", "egre", "names",
            "name", "namen", "noms", "nombres", "tekst", "popis", "opis", "noms",
        ],
    ),
    Row(
        Role::Sheet,
        &[
            "titleblock",
            "title block",
            "title_block",
            "title-block",
            "plankopf",
            "cartouche",
            "cartiglio",
            "cajetin",
            "viewport",
            "defpoints",
            "планшет",
            "рамка",
            "штамп",
            "图框",
            "図枠",
            "blattrahmen",
            "zeichenrahmen",
            "planrahmen",
            "squadratura",
        ],
        &["ttlb", "vport", "border", "frame", "title", "sheet", "nplt", "kader", "ramka", "vpt"],
    ),
    Row(
        Role::Sanitary,
        &[
            "sanit",
            "plumb",
            "fontaner",
            "санит",
            "сантех",
            "卫生",
            "洁具",
            "衛生",
            "위생",
            "łazien",
            "sanitar",
            "saniter",
            "bathroom fix",
        ],
        &["fixt", "wc", "bad", "bath", "toilet", "wcs", "lavabo"],
    ),
    Row(
        Role::Furniture,
        &[
            "furn",
            "mobel",
            "moebel",
            "mobilier",
            "mobiliar",
            "meuble",
            "mueble",
            "arred",
            "meubel",
            "meubil",
            "mobler",
            "moebler",
            "inventar",
            "kaluste",
            "kalust",
            "nabytek",
            "nabytok",
            "namestaj",
            "mobilya",
            "mebel",
            "мебел",
            "меблі",
            "家具",
            "가구",
            "casework",
            "millwork",
            "kitchen",
            "kuche",
            "kueche",
            "cuisine",
            "cocina",
            "cucina",
            "keuken",
            "einricht",
            "equip",
            "eqpm",
            "appliance",
            "επιπλ",
            "أثاث",
            "ריהוט",
            "wardrobe",
            "table",
            "chair",
            "sofa",
            "bed-",
            "decor",
            "bútor",
            "inredning",
            "moveis",
        ],
        &[
            "meble", "butor", "bed", "desk", "mobili", "mobila", "cabinet", "cabinets", "schrank", "bett",
            "tisch", "stuhl",
        ],
    ),
    Row(
        Role::Stair,
        &[
            "stair",
            "trepp",
            "escalier",
            "escaler",
            "escada",
            "trappa",
            "trapp",
            "portaat",
            "porras",
            "schod",
            "lepcso",
            "stepenic",
            "stepeni",
            "merdiven",
            "лестн",
            "сход",
            "стълб",
            "楼梯",
            "階段",
            "계단",
            "σκαλ",
            "درج",
            "elevator",
            "aufzug",
            "ascens",
            "lift",
        ],
        &["strs", "scala", "scale", "trap", "trappe", "scari", "ramp", "rampe", "hral", "evtr"],
    ),
    Row(
        Role::Grid,
        &[
            "achse",
            "achsen",
            "raster",
            "stramien",
            "gitter",
            "центрлин",
            "轴线",
            "轴网",
            "轴",
            "通り芯",
            "通芯",
            "centerline",
            "centreline",
            "center line",
            "grille",
            "griglia",
            "reticula",
            "aksenett",
            "moduulilinj",
            "modullinje",
            "aks",
        ],
        &[
            "grid", "grids", "axis", "axes", "axe", "eje", "ejes", "asse", "assi", "eixo", "eixos", "osie",
            "osi", "osa", "osy", "оси", "ось", "aks", "akslar", "tengely", "cntr",
        ],
    ),
    Row(
        Role::Opening,
        &[
            "opening",
            "offnung",
            "oeffnung",
            "ouverture",
            "durchbruch",
            "hueco",
            "apertura",
            "abertura",
            "sparing",
            "aukko",
            "aukot",
            "otwor",
            "otvor",
            "проем",
            "проём",
            "洞口",
            "開口",
            "개구",
        ],
        &["vano", "vanos", "vani", "goluri"],
    ),
    Row(
        Role::Door,
        &[
            "door",
            "tueren",
            "tuere",
            "turen",
            "tuer",
            "puerta",
            "deur",
            "dorr",
            "dører",
            "dorer",
            "doere",
            "drzwi",
            "dvere",
            "ajto",
            "vrata",
            "двер",
            "врат",
            "πορτ",
            "门",
            "門",
            "ドア",
            "扉",
            "문",
            "باب",
            "דלת",
            "pintu",
            "ovet",
            "дверь",
            "kapilar",
            "ukse",
            "durvis",
            "durys",
            "φυλλα",
            "ozen",
        ],
        &[
            "porte", "portes", "porta", "portas", "tur", "ture", "dor", "ovi", "ovia", "usa", "usi", "kapi",
            "uks", "cua", "port", "dr", "drs", "dvirka",
        ],
    ),
    Row(
        Role::Window,
        &[
            "window",
            "glaz",
            "fenster",
            "fenetr",
            "vitrage",
            "vitrin",
            "ventan",
            "finestr",
            "janela",
            "kozijn",
            "fonster",
            "vindu",
            "vindue",
            "ikkuna",
            "okno",
            "okna",
            "okien",
            "ablak",
            "fereastr",
            "ferestre",
            "prozor",
            "pencere",
            "окн",
            "вікн",
            "прозор",
            "παραθυρ",
            "窗",
            "窓",
            "창",
            "نافذ",
            "شباك",
            "חלון",
            "jendela",
            "infiss",
            "serrament",
            "menuiser",
            "curtain",
            "finestre",
            "glass",
            "verglas",
        ],
        &["raam", "ramen", "aken", "logs", "langas", "fen", "win", "glas", "wnd", "wdw", "cuaso"],
    ),
    Row(
        Role::Column,
        &[
            "column",
            "stutze",
            "stuetz",
            "poteau",
            "pilar",
            "pilastr",
            "columna",
            "kolom",
            "pelare",
            "pilari",
            "oszlop",
            "колон",
            "柱",
            "기둥",
            "kolon",
            "sloup",
            "stlp",
            "stalp",
            "colonn",
        ],
        &["cols", "col", "slup", "slupy", "soyle", "sojle"],
    ),
    Row(
        Role::Other,
        &[
            "slab",
            "floor",
            "ceiling",
            "roof",
            "dach",
            "decke",
            "boden",
            "fußbod",
            "fussbod",
            "toiture",
            "plancher",
            "forjado",
            "cubierta",
            "solaio",
            "tetto",
            "copertura",
            "dak",
            "vloer",
            "electr",
            "elektr",
            "electric",
            "eclair",
            "light",
            "hvac",
            "heating",
            "heizung",
            "mechan",
            "sprinkl",
            "struct-beam",
            "beam",
            "unterzug",
            "landsc",
            "gelande",
            "terrain",
            "topogr",
            "garten",
            "jardin",
            "parking",
            "parkplatz",
            "kamera",
            "clng",
            "flor",
            "demol",
            "abbruch",
            "konstruktionslin",
            "construction line",
            "hilfslin",
            "электр",
            "перекр",
            "крыш",
            "кровл",
            "section line",
            "schnittlin",
            "north",
        ],
        &[
            "roof", "tree", "trees", "plant", "plants", "site", "car", "cars", "elec", "lite", "mech",
            "beam", "beams", "sewer", "duct", "fndn", "hidd", "area", "aussen", "baum", "dak",
        ],
    ),
    Row(
        Role::Text,
        &["raume", "raeume", "habitac", "помещ", "房间", "部屋", "방이름", "rooms", "zimmer", "ambient"],
        &[
            "room", "raum", "piece", "pieces", "stanza", "stanze", "locali", "local", "locaux", "space",
            "spaces", "zone", "zones", "rum", "tila", "tilat", "oda",
        ],
    ),
    Row(
        Role::Wall,
        &[
            "wall",
            "wand",
            "wande",
            "waende",
            "mauer",
            "cloison",
            "pared",
            "tabique",
            "paret",
            "tramezz",
            "parede",
            "alvenar",
            "muren",
            "vagg",
            "vaggar",
            "vaggen",
            "vegger",
            "vegg",
            "vaegg",
            "seina",
            "sciana",
            "scian",
            "stena",
            "steny",
            "стен",
            "стін",
            "перегор",
            "zdivo",
            "murivo",
            "muratur",
            "murarie",
            "pricky",
            "pricka",
            "falak",
            "perete",
            "peret",
            "duvar",
            "zidov",
            "τοιχ",
            "墙",
            "牆",
            "壁",
            "かべ",
            "벽",
            "جدار",
            "حائط",
            "קיר",
            "dinding",
            "tuong",
            "ผนัง",
            "siena",
            "muros",
            "partit",
            "mury",
            "masonry",
            "porteur",
            "tragend",
            "kirot",
            "murs",
            "muro",
        ],
        &[
            "mur", "murs", "muro", "muri", "muur", "fal", "zid", "zed", "zdi", "vaeg", "vaegge", "sein",
            "siev", "ściana", "mury", "envan", "shear", "wl",
        ],
    ),
];

/// A name in small letters without accents.
pub(crate) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for char in name.chars().flat_map(char::to_lowercase) {
        let plain = match char {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
            'æ' => "ae",
            'ç' | 'ć' | 'č' => "c",
            'ď' | 'đ' | 'ð' => "d",
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
            'ğ' => "g",
            'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
            'ł' | 'ľ' | 'ĺ' => "l",
            'ñ' | 'ń' | 'ň' => "n",
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' | 'ō' => "o",
            'œ' => "oe",
            'ř' | 'ŕ' => "r",
            'ś' | 'ş' | 'š' | 'ș' => "s",
            'ß' => "ss",
            'ţ' | 'ť' | 'ț' => "t",
            'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
            'ý' | 'ÿ' => "y",
            'ź' | 'ż' | 'ž' => "z",
            'ά' => "α",
            'έ' => "ε",
            'ή' => "η",
            'ί' => "ι",
            'ό' => "ο",
            'ύ' => "υ",
            'ώ' => "ω",
            '\u{300}'..='\u{36f}' => "",
            other => {
                out.push(other);
                continue;
            }
        };
        out.push_str(plain);
    }
    out
}

/// The words of a name: parted by signs, and where letters end and digits begin.
fn words(folded: &str) -> Vec<&str> {
    folded.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()).collect()
}

/// The role that a name says.
pub fn role(name: &str) -> Role {
    if let Some(role) = iso13567(name) {
        return role;
    }
    let folded = folded(name);
    let words = words(&folded);
    for Row(role, parts, whole) in &TABLE {
        let is_one = parts.iter().any(|part| holds(&folded, &words, part))
            || words.iter().any(|word| whole.contains(word));
        if is_one {
            return *role;
        }
    }
    Role::Unknown
}

/// The role of what a hatch lies in, by the rest of its layer's name: `A-WALL-PATT` is of walls, `HATCH` may be of anything.
pub(crate) fn hatched(name: &str) -> Role {
    if iso13567(name).is_some() {
        let bytes = name.as_bytes();
        return match bytes.get(2..4) {
            Some(b"21" | b"22") => Role::Wall,
            Some(b"--" | b"__") => Role::Unknown,
            _ => Role::Other,
        };
    }
    let folded = folded(name);
    let rest: Vec<&str> = words(&folded)
        .into_iter()
        .filter(|word| {
            !TABLE.iter().any(|Row(own, parts, whole)| {
                *own == Role::Hatch && (whole.contains(word) || parts.iter().any(|part| word.contains(part)))
            })
        })
        .collect();
    role(&rest.join(" "))
}

/// True if a name holds a word: short ones at the beginning or end of one of its words alone, since `furn` is no `outdoor`.
fn holds(folded: &str, words: &[&str], part: &str) -> bool {
    if part.contains([' ', '-', '_']) || !part.is_ascii() {
        return folded.contains(part);
    }
    words.iter().any(|word| {
        let is_far = matches!(*word, "outdoor" | "indoor" | "indoors" | "outdoors");
        !is_far && (word.starts_with(part) || word.ends_with(part) || (part.len() > 5 && word.contains(part)))
    })
}

/// The role of a layer by ISO 13567-2: agent in two characters, element in six by CI/SfB, presentation in two.
fn iso13567(name: &str) -> Option<Role> {
    let bytes = name.as_bytes();
    let (head, element, kind) = (bytes.get(..2)?, bytes.get(2..8)?, bytes.get(8)?);
    let is_form = bytes.len() <= 16
        && head.first()?.is_ascii_alphabetic()
        && element.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-' || *byte == b'_')
        && kind.is_ascii_uppercase();
    if !is_form {
        return None;
    }
    match kind {
        b'H' => return Some(Role::Hatch),
        b'T' | b'J' | b'K' | b'U' => return Some(Role::Text),
        b'D' => return Some(Role::Dimension),
        b'G' => return Some(Role::Grid),
        b'B' | b'V' => return Some(Role::Sheet),
        _ => {}
    }
    Some(match element.get(..2)? {
        b"21" | b"22" => Role::Wall,
        b"31" => Role::Window,
        b"32" => Role::Door,
        b"24" => Role::Stair,
        b"28" => Role::Column,
        b"74" => Role::Sanitary,
        [b'7' | b'8', _] => Role::Furniture,
        b"--" | b"__" => return None,
        _ => Role::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_many_languages_have_their_roles() {
        for (name, own) in [
            ("A-WALL-FULL", Role::Wall),
            ("A-WALL-PATT", Role::Hatch),
            ("A-WALL-IDEN", Role::Text),
            ("A-21----E1", Role::Wall),
            ("A-21----H-", Role::Hatch),
            ("A-32----E4", Role::Door),
            ("A-------D-", Role::Dimension),
            ("WÄNDE_tragend", Role::Wall),
            ("Wand", Role::Wall),
            ("MURS PORTEURS", Role::Wall),
            ("CLOISONS", Role::Wall),
            ("PAREDES", Role::Wall),
            ("Muros", Role::Wall),
            ("DUVAR", Role::Wall),
            ("VÄGG", Role::Wall),
            ("YTTERVÄGGAR", Role::Wall),
            ("Стены", Role::Wall),
            ("перегородки", Role::Wall),
            ("墙体", Role::Wall),
            ("壁", Role::Wall),
            ("벽체", Role::Wall),
            ("ŚCIANY", Role::Wall),
            ("Ściana nośna", Role::Wall),
            ("wall_ext", Role::Wall),
            ("TÜREN", Role::Door),
            ("Tür", Role::Door),
            ("PORTES", Role::Door),
            ("Puertas", Role::Door),
            ("KAPI", Role::Door),
            ("DÖRRAR", Role::Door),
            ("Двери", Role::Door),
            ("门", Role::Door),
            ("DRZWI", Role::Door),
            ("FENSTER", Role::Window),
            ("Fenêtres", Role::Window),
            ("VENTANAS", Role::Window),
            ("окна", Role::Window),
            ("PENCERE", Role::Window),
            ("窓", Role::Window),
            ("A-GLAZ-CURT", Role::Window),
            ("Möbel", Role::Furniture),
            ("MOBILIARIO", Role::Furniture),
            ("A-FURN", Role::Furniture),
            ("Bemaßung", Role::Dimension),
            ("COTAS", Role::Dimension),
            ("Raumnamen", Role::Text),
            ("TREPPE", Role::Stair),
            ("ACHSEN", Role::Grid),
            ("S-GRID", Role::Grid),
            ("0", Role::Unknown),
            ("Layer1", Role::Unknown),
            ("wall-cut", Role::Wall),
            ("Defpoints", Role::Sheet),
            ("outdoor", Role::Unknown),
        ] {
            assert_eq!(role(name), own, "{name}");
        }
    }

    #[test]
    fn roles_have_names_of_their_own() {
        assert!(ALL.iter().all(|role| Role::named(role.name()) == Some(*role)));
    }
}
