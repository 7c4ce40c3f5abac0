//! Boundary representations with curved faces and edges, written out edge by edge, and surfaces by themselves. Expected volumes and
//! areas are those of the round bodies (formulas stand beside them).

use super::items::model;
use crate::{Measures, Shaper, measure};
use ifc::Id;
use std::f64::consts::PI;
use std::fmt::Write;

/// Writes the instances of a body from #100 on; lengths in millimetres.
#[derive(Default)]
struct Brep {
    text: String,
    count: u32,
    faces: Vec<u32>,
}

impl Brep {
    fn line(&mut self, what: &str) -> u32 {
        self.count += 1;
        let id = 100 + self.count;
        writeln!(self.text, "#{id}={what};").unwrap();
        id
    }

    fn point(&mut self, p: [f64; 3]) -> u32 {
        self.line(&format!("IFCCARTESIANPOINT(({:?},{:?},{:?}))", p[0], p[1], p[2]))
    }

    fn direction(&mut self, p: [f64; 3]) -> u32 {
        self.line(&format!("IFCDIRECTION(({:?},{:?},{:?}))", p[0], p[1], p[2]))
    }

    fn axes(&mut self, o: [f64; 3], z: [f64; 3], x: [f64; 3]) -> u32 {
        let (o, z, x) = (self.point(o), self.direction(z), self.direction(x));
        self.line(&format!("IFCAXIS2PLACEMENT3D(#{o},#{z},#{x})"))
    }

    fn upright(&mut self, z: f64) -> u32 {
        self.axes([0.0, 0.0, z], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    }

    fn vertex(&mut self, p: [f64; 3]) -> u32 {
        let p = self.point(p);
        self.line(&format!("IFCVERTEXPOINT(#{p})"))
    }

    fn circle(&mut self, axes: u32, radius: f64) -> u32 {
        self.line(&format!("IFCCIRCLE(#{axes},{radius:?})"))
    }

    fn edge(&mut self, a: u32, b: u32, curve: u32, same: bool) -> u32 {
        let same = if same { ".T." } else { ".F." };
        self.line(&format!("IFCEDGECURVE(#{a},#{b},#{curve},{same})"))
    }

    fn straight(&mut self, a: u32, b: u32) -> u32 {
        let (o, d) = (self.point([0.0; 3]), self.direction([0.0, 0.0, 1.0]));
        let v = self.line(&format!("IFCVECTOR(#{d},1.)"));
        let curve = self.line(&format!("IFCLINE(#{o},#{v})"));
        self.edge(a, b, curve, true)
    }

    /// Edges by number; below nought against their direction.
    fn bound(&mut self, edges: &[i64]) -> u32 {
        let list: Vec<String> = edges
            .iter()
            .map(|e| {
                let way = if *e > 0 { ".T." } else { ".F." };
                format!("#{}", self.line(&format!("IFCORIENTEDEDGE(*,*,#{},{way})", e.abs())))
            })
            .collect();
        let l = self.line(&format!("IFCEDGELOOP(({}))", list.join(",")));
        self.line(&format!("IFCFACEOUTERBOUND(#{l},.T.)"))
    }

    fn face(&mut self, surface: u32, bounds: &[u32], same: bool) {
        let list: Vec<String> = bounds.iter().map(|b| format!("#{b}")).collect();
        let same = if same { ".T." } else { ".F." };
        let face = self.line(&format!("IFCADVANCEDFACE(({}),#{surface},{same})", list.join(",")));
        self.faces.push(face);
    }

    fn flat(&mut self, z: f64, up: f64, bound: u32) {
        let axes = self.axes([0.0, 0.0, z], [0.0, 0.0, up], [1.0, 0.0, 0.0]);
        let plane = self.line(&format!("IFCPLANE(#{axes})"));
        self.face(plane, &[bound], true);
    }

    fn written(mut self) -> String {
        let list: Vec<String> = self.faces.iter().map(|f| format!("#{f}")).collect();
        let shell = self.line(&format!("IFCCLOSEDSHELL(({}))", list.join(",")));
        writeln!(self.text, "#80=IFCADVANCEDBREP(#{shell});").unwrap();
        self.text
    }

    fn model(self) -> ifc::Model {
        model("#80", &self.written())
    }

    fn measured(self) -> Measures {
        let model = self.model();
        let found = Shaper::plain(&model).element(Id(10)).unwrap();
        assert!(found.notes.is_empty() && !found.is_box, "{:?}", found.notes);
        let measures = found.mesh().measures();
        // not closed by chance: each side of a triangle has a neighbour that runs along it the other way
        let mut sides = std::collections::HashMap::new();
        for part in &found.parts {
            for t in &part.mesh.triangles {
                let p =
                    t.map(|i| part.mesh.positions[i as usize].to_array().map(|v| (v * 1e6).round() as i64));
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    *sides.entry((p[a], p[b])).or_insert(0) += 1;
                    *sides.entry((p[b], p[a])).or_insert(0) -= 1;
                }
            }
        }
        assert!(
            sides.values().all(|n| *n == 0),
            "{} sides are open",
            sides.values().filter(|n| **n != 0).count()
        );
        measures
    }
}

fn within(found: f64, exact: f64) {
    assert!((found - exact).abs() < 0.01 * exact, "{found} of {exact}");
}

/// The round side of a cylinder between two circles.
fn cylinder(seam: bool) -> Brep {
    let mut b = Brep::default();
    let (low, high) = (b.vertex([500.0, 0.0, 0.0]), b.vertex([500.0, 0.0, 1000.0]));
    let (axes, top) = (b.upright(0.0), b.upright(1000.0));
    let (c, d) = (b.circle(axes, 500.0), b.circle(top, 500.0));
    let (c, d) = (i64::from(b.edge(low, low, c, true)), i64::from(b.edge(high, high, d, true)));
    let side = b.line(&format!("IFCCYLINDRICALSURFACE(#{axes},500.)"));
    if seam {
        let s = i64::from(b.straight(low, high));
        let bound = b.bound(&[c, s, -d, -s]);
        b.face(side, &[bound], true);
    } else {
        let bounds = [b.bound(&[c]), b.bound(&[-d])];
        b.face(side, &bounds, true);
    }
    let (under, over) = (b.bound(&[-c]), b.bound(&[d]));
    b.flat(0.0, -1.0, under);
    b.flat(1000.0, 1.0, over);
    b
}

#[test]
fn a_cylinder_is_closed_with_a_seam_and_without() {
    for seam in [true, false] {
        let found = cylinder(seam).measured();
        within(found.volume, PI * 0.25);
        within(found.area, PI + PI * 0.5);
    }
}

#[test]
fn a_sphere_is_whole_within_its_seam_and_within_nothing() {
    let mut b = Brep::default();
    let (south, north) = (b.vertex([0.0, 0.0, -1000.0]), b.vertex([0.0, 0.0, 1000.0]));
    let axes = b.upright(0.0);
    let side = b.axes([0.0; 3], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
    let meridian = b.circle(side, 1000.0);
    let seam = i64::from(b.edge(south, north, meridian, true));
    let sphere = b.line(&format!("IFCSPHERICALSURFACE(#{axes},1000.)"));
    let bound = b.bound(&[seam, -seam]);
    b.face(sphere, &[bound], true);
    within(b.measured().volume, PI * 4.0 / 3.0);
    let mut b = Brep::default();
    let axes = b.upright(0.0);
    let sphere = b.line(&format!("IFCSPHERICALSURFACE(#{axes},1000.)"));
    let south = b.vertex([0.0, 0.0, -1000.0]);
    let l = b.line(&format!("IFCVERTEXLOOP(#{south})"));
    let bound = b.line(&format!("IFCFACEOUTERBOUND(#{l},.T.)"));
    b.face(sphere, &[bound], true);
    within(b.measured().volume, PI * 4.0 / 3.0);
}

#[test]
fn a_cap_of_a_sphere_is_the_part_on_the_left_of_its_bound() {
    for up in [1.0, -1.0] {
        let mut b = Brep::default();
        let v = b.vertex([800.0, 0.0, 600.0]);
        let axes = b.upright(0.0);
        let level = b.upright(600.0);
        let c = b.circle(level, 800.0);
        let c = i64::from(b.edge(v, v, c, true)) * if up > 0.0 { 1 } else { -1 };
        let sphere = b.line(&format!("IFCSPHERICALSURFACE(#{axes},1000.)"));
        let (round, flat) = (b.bound(&[c]), b.bound(&[-c]));
        b.face(sphere, &[round], true);
        b.flat(600.0, -up, flat);
        // a cap of height h has the volume πh²(3r - h)/3
        let h: f64 = if up > 0.0 { 0.4 } else { 1.6 };
        within(b.measured().volume, PI * h * h * (3.0 - h) / 3.0);
    }
}

#[test]
fn a_torus_comes_round_both_ways() {
    let mut b = Brep::default();
    let v = b.vertex([400.0, 0.0, 0.0]);
    let axes = b.upright(0.0);
    let outer = b.circle(axes, 400.0);
    let side = b.axes([300.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
    let tube = b.circle(side, 100.0);
    let (u, w) = (i64::from(b.edge(v, v, outer, true)), i64::from(b.edge(v, v, tube, true)));
    let torus = b.line(&format!("IFCTOROIDALSURFACE(#{axes},300.,100.)"));
    let bound = b.bound(&[u, w, -u, -w]);
    b.face(torus, &[bound], true);
    let found = b.measured();
    within(found.volume, 2.0 * PI * PI * 0.3 * 0.01);
}

#[test]
fn a_pipe_bend_is_closed_by_its_ends() {
    // a quarter of a torus, its two circles as bounds
    let mut b = Brep::default();
    let (p, q) = (b.vertex([400.0, 0.0, 0.0]), b.vertex([0.0, 400.0, 0.0]));
    let axes = b.upright(0.0);
    let first = b.axes([300.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
    let last = b.axes([0.0, 300.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let (c, d) = (b.circle(first, 100.0), b.circle(last, 100.0));
    let (c, d) = (i64::from(b.edge(p, p, c, true)), i64::from(b.edge(q, q, d, true)));
    let torus = b.line(&format!("IFCTOROIDALSURFACE(#{axes},300.,100.)"));
    let bounds = [b.bound(&[-c]), b.bound(&[d])];
    b.face(torus, &bounds, true);
    let flat = [b.line(&format!("IFCPLANE(#{first})")), b.line(&format!("IFCPLANE(#{last})"))];
    let ends = [b.bound(&[c]), b.bound(&[-d])];
    b.face(flat[0], &[ends[0]], true);
    b.face(flat[1], &[ends[1]], false);
    within(b.measured().volume, PI * PI / 2.0 * 0.3 * 0.01);
}

#[test]
fn a_cone_and_a_turned_line_are_closed_by_their_apex() {
    for (surface, seam) in [("cone", false), ("cone", true), ("revolution", false), ("revolution", true)] {
        let mut b = Brep::default();
        let (v, apex) = (b.vertex([500.0, 0.0, 0.0]), b.vertex([0.0, 0.0, 1000.0]));
        let axes = b.upright(0.0);
        let c = b.circle(axes, 500.0);
        let c = i64::from(b.edge(v, v, c, true));
        let cone = if surface == "cone" {
            b.line(&format!("IFCCONICALSURFACE(#{axes},500.,{:?})", -(0.5_f64.atan())))
        } else {
            let (p, q) = (b.point([500.0, 0.0, 0.0]), b.point([0.0, 0.0, 1000.0]));
            let line = b.line(&format!("IFCPOLYLINE((#{p},#{q}))"));
            let profile = b.line(&format!("IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#{line})"));
            b.line(&format!("IFCSURFACEOFREVOLUTION(#{profile},$,#81)"))
        };
        let bound = if seam {
            let s = i64::from(b.straight(v, apex));
            b.bound(&[c, s, -s])
        } else {
            b.bound(&[c])
        };
        let under = b.bound(&[-c]);
        b.face(cone, &[bound], true);
        b.flat(0.0, -1.0, under);
        b.text += "#81=IFCAXIS1PLACEMENT(#7,#15);\n";
        within(b.measured().volume, PI / 12.0);
    }
}

#[test]
fn a_hole_across_a_cylinder_is_cut_where_its_edges_run() {
    // a quarter of a pipe's wall with a window in its round sides, the window's upright edges straight and its others arcs
    let mut b = Brep::default();
    let (inner, outer, h) = (900.0, 1000.0, 1000.0_f64);
    let on = |r: f64, degrees: f64, z: f64| {
        let a = degrees.to_radians();
        [r * a.cos(), r * a.sin(), z]
    };
    let frame = |b: &mut Brep, z: f64| b.upright(z);
    // corners by radius, angle and height of the piece and of its window
    let mut rings = Vec::new();
    for (from, to, low, high) in [(0.0, 90.0, 0.0, h), (30.0, 60.0, 300.0, 700.0)] {
        let mut shell = Vec::new();
        for r in [inner, outer] {
            let corners = [(from, low), (to, low), (to, high), (from, high)];
            let v: Vec<u32> = corners.iter().map(|(a, z)| b.vertex(on(r, *a, *z))).collect();
            let (at_low, at_high) = (frame(&mut b, low), frame(&mut b, high));
            let (c, d) = (b.circle(at_low, r), b.circle(at_high, r));
            let e = [
                i64::from(b.edge(v[0], v[1], c, true)),
                i64::from(b.straight(v[1], v[2])),
                // written against the circle
                i64::from(b.edge(v[2], v[3], d, false)),
                i64::from(b.straight(v[3], v[0])),
            ];
            shell.push((v, e));
        }
        let across: Vec<i64> = (0..4).map(|i| i64::from(b.straight(shell[0].0[i], shell[1].0[i]))).collect();
        rings.push((shell, across, [from, to, low, high]));
    }
    let axes = b.upright(0.0);
    for (i, r) in [inner, outer].into_iter().enumerate() {
        let surface = b.line(&format!("IFCCYLINDRICALSURFACE(#{axes},{r:?})"));
        let (e, w) = (rings[0].0[i].1, rings[1].0[i].1);
        let turned = |e: [i64; 4]| [-e[3], -e[2], -e[1], -e[0]];
        // the outer side looks with the surface, the inner one against it
        let bounds =
            if i == 1 { [b.bound(&e), b.bound(&turned(w))] } else { [b.bound(&turned(e)), b.bound(&w)] };
        b.face(surface, &bounds, i == 1);
    }
    for (k, (shell, across, [from, to, low, high])) in rings.iter().enumerate() {
        let (e, f) = (shell[0].1, shell[1].1);
        for side in 0..4 {
            let next = (side + 1) % 4;
            let l = [e[side], across[next], -f[side], -across[side]];
            let l = if k == 0 { l } else { [-l[3], -l[2], -l[1], -l[0]] };
            let bound = b.bound(&l);
            let plane = if side % 2 == 0 {
                b.upright(if side == 0 { *low } else { *high })
            } else {
                let a = if side == 1 { *to } else { *from };
                b.axes([0.0; 3], on(1.0, a + 90.0, 0.0), [0.0, 0.0, 1.0])
            };
            let plane = b.line(&format!("IFCPLANE(#{plane})"));
            b.face(plane, &[bound], true);
        }
    }
    let ring = PI * (1.0 - 0.81);
    within(b.measured().volume, ring / 4.0 - ring / 12.0 * 0.4);
}

/// Knots, degree and points of a whole circle of nine weighted points, as text: x and y by a radius.
fn rational_circle() -> ([[f64; 2]; 9], [f64; 9]) {
    let w = 0.5_f64.sqrt();
    let p = [[1., 0.], [1., 1.], [0., 1.], [-1., 1.], [-1., 0.], [-1., -1.], [0., -1.], [1., -1.], [1., 0.]];
    (p, [1., w, 1., w, 1., w, 1., w, 1.])
}

#[test]
fn a_rational_spline_is_as_round_as_a_cylinder() {
    for seam in [true, false] {
        let mut b = Brep::default();
        let (p, w) = rational_circle();
        let mut rows = Vec::new();
        let mut curves = Vec::new();
        for z in [0.0, 1000.0] {
            let ids: Vec<u32> = p.iter().map(|q| b.point([q[0] * 500.0, q[1] * 500.0, z])).collect();
            let list: Vec<String> = ids.iter().map(|i| format!("#{i}")).collect();
            let weights: Vec<String> = w.iter().map(|w| format!("{w:?}")).collect();
            curves.push(b.line(&format!(
                "IFCRATIONALBSPLINECURVEWITHKNOTS(2,({}),.CIRCULAR_ARC.,.T.,.F.,(3,2,2,2,3),(0.,1.,2.,3.,4.),.UNSPECIFIED.,({}))",
                list.join(","), weights.join(",")
            )));
            rows.push(ids);
        }
        let net: Vec<String> = (0..9).map(|i| format!("(#{},#{})", rows[0][i], rows[1][i])).collect();
        let weights: Vec<String> = w.iter().map(|w| format!("({w:?},{w:?})")).collect();
        let surface = b.line(&format!(
            "IFCRATIONALBSPLINESURFACEWITHKNOTS(2,1,({}),.CYLINDRICAL_SURF.,.T.,.F.,.F.,(3,2,2,2,3),(2,2),\
             (0.,1.,2.,3.,4.),(0.,1.),.UNSPECIFIED.,({}))",
            net.join(","),
            weights.join(",")
        ));
        let (low, high) = (b.vertex([500.0, 0.0, 0.0]), b.vertex([500.0, 0.0, 1000.0]));
        let c = i64::from(b.edge(low, low, curves[0], true));
        let d = i64::from(b.edge(high, high, curves[1], true));
        if seam {
            let s = i64::from(b.straight(low, high));
            let bound = b.bound(&[c, s, -d, -s]);
            b.face(surface, &[bound], true);
        } else {
            let bounds = [b.bound(&[c]), b.bound(&[-d])];
            b.face(surface, &bounds, true);
        }
        let (under, over) = (b.bound(&[-c]), b.bound(&[d]));
        b.flat(0.0, -1.0, under);
        b.flat(1000.0, 1.0, over);
        within(b.measured().volume, PI * 0.25);
    }
}

/// A pillow: a square base and a top of 3 by 3 points whose middle is raised.
fn pillow(extra: &str) -> Brep {
    let mut b = Brep::default();
    let net: Vec<Vec<u32>> = (0..3)
        .map(|i| {
            (0..3)
                .map(|k| {
                    b.point([
                        500.0 * f64::from(i),
                        500.0 * f64::from(k),
                        if (i, k) == (1, 1) { 900.0 } else { 0.0 },
                    ])
                })
                .collect()
        })
        .collect();
    let rows: Vec<String> = net.iter().map(|r| format!("(#{},#{},#{})", r[0], r[1], r[2])).collect();
    let top = b.line(&format!(
        "IFCBSPLINESURFACEWITHKNOTS(2,2,({}),.UNSPECIFIED.,.F.,.F.,.F.,(3,3),(3,3),(0.,1.),({extra}1.),.UNSPECIFIED.)",
        rows.join(",")
    ));
    let corners = [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]];
    let v: Vec<u32> = corners.iter().map(|p| b.vertex([p[0], p[1], 0.0])).collect();
    let e: Vec<i64> = (0..4).map(|i| i64::from(b.straight(v[i], v[(i + 1) % 4]))).collect();
    let bound = b.bound(&e);
    b.face(top, &[bound], true);
    let back: Vec<i64> = e.iter().rev().map(|e| -e).collect();
    let under = b.bound(&back);
    b.flat(0.0, -1.0, under);
    b
}

#[test]
fn a_bulge_has_the_volume_under_its_middle_point() {
    // the integral of the middle's basis function is 1/9 of the square
    within(pillow("0.,").measured().volume, 0.9 / 9.0);
}

#[test]
fn spoiled_surfaces_say_what_is_wrong() {
    let reason = |b: Brep| {
        let model = b.model();
        Shaper::plain(&model).element(Id(10)).map_or_else(|e| e.reason, |s| s.notes[0].reason.clone())
    };
    assert_eq!(reason(pillow("1.,")), "has knots that do not ascend");
    assert_eq!(reason(pillow("0.,0.5,")), "has knots that do not fit its points");
    let mut b = Brep::default();
    let (p, q) = (b.vertex([500.0, 0.0, 0.0]), b.vertex([500.0, 0.0, 1000.0]));
    let axes = b.upright(0.0);
    let c = b.circle(axes, 700.0);
    let e = i64::from(b.edge(p, p, c, true));
    let s = i64::from(b.straight(p, q));
    let side = b.line(&format!("IFCCYLINDRICALSURFACE(#{axes},0.)"));
    let bound = b.bound(&[e, s, -s]);
    b.face(side, &[bound], true);
    assert_eq!(reason(b), "is 0.200 m from the end of an edge along it");
    let mut b = cylinder(true);
    let at = b.text.find("IFCCYLINDRICALSURFACE").unwrap();
    let end = at + b.text[at..].find(";\n").unwrap();
    let radius = b.text[..end].rfind(',').unwrap();
    b.text.replace_range(radius..end, ",800.)");
    assert_eq!(reason(b), "has a bound 0.300 m off its surface");
}

#[test]
fn surfaces_by_themselves_have_their_area() {
    let area = |items: &str, lines: &str| measure(&model(items, lines), Id(10)).unwrap().area;
    within(area("#80", "#80=IFCSPHERICALSURFACE(#6,1000.);"), 4.0 * PI);
    within(area("#80", "#80=IFCTOROIDALSURFACE(#6,300.,100.);"), 4.0 * PI * PI * 0.03);
    let trimmed = |basis: &str, ends: &str| {
        format!("#80=IFCRECTANGULARTRIMMEDSURFACE(#81,{ends},.T.,.T.);\n#81={basis};")
    };
    within(
        area("#80", &trimmed("IFCCYLINDRICALSURFACE(#6,500.)", "0.,0.,1.5707963267948966,2000.")),
        PI / 2.0,
    );
    within(area("#80", &trimmed("IFCPLANE(#6)", "-500.,0.,500.,2000.")), 2.0);
    let bounded = "#80=IFCCURVEBOUNDEDSURFACE(#81,(#82),.F.);\n#81=IFCCYLINDRICALSURFACE(#6,500.);\n\
        #82=IFCBOUNDARYCURVE((#83,#84,#85,#86),.F.);\n\
        #83=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#87);#84=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#88);\n\
        #85=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#89);#86=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#90);\n\
        #87=IFCPCURVE(#81,#91);#88=IFCPCURVE(#81,#92);#89=IFCPCURVE(#81,#93);#90=IFCPCURVE(#81,#94);\n\
        #91=IFCPOLYLINE((#95,#96));#92=IFCPOLYLINE((#96,#97));#93=IFCPOLYLINE((#97,#98));#94=IFCPOLYLINE((#98,#95));\n\
        #95=IFCCARTESIANPOINT((0.,0.));#96=IFCCARTESIANPOINT((3.,0.));#97=IFCCARTESIANPOINT((3.,2000.));\n\
        #98=IFCCARTESIANPOINT((0.,2000.));";
    within(area("#80", bounded), 3.0);
    // on what sweeps a curve, its own parameter counts: points of a line that has a corner, angles of a circle; along the way of an
    // extrusion it is the share of its depth
    let upon = |basis: &str| bounded.replace("#81=IFCCYLINDRICALSURFACE(#6,500.);", basis);
    let extruded = |curve: &str| {
        format!(
            "#81=IFCSURFACEOFLINEAREXTRUSION(#71,$,#15,1.);\n#71=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#72);\n{curve}"
        )
    };
    let bent = "#72=IFCPOLYLINE((#73,#74,#75,#76));\n#73=IFCCARTESIANPOINT((0.,0.));\n#74=IFCCARTESIANPOINT((500.,0.));\n\
        #75=IFCCARTESIANPOINT((500.,250.));\n#76=IFCCARTESIANPOINT((0.,250.));\n";
    within(area("#80", &upon(&extruded(bent))), 1.25 * 2.0);
    within(area("#80", &upon(&extruded("#72=IFCCIRCLE(#6,500.);\n"))), 1.5 * 2.0);
    let turning = "#81=IFCSURFACEOFREVOLUTION(#71,$,#82);\n".replace("#82", "#70");
    let turning = format!(
        "{turning}#70=IFCAXIS1PLACEMENT(#7,#15);\n#71=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#72);\n\
         #72=IFCLINE(#73,#74);\n#73=IFCCARTESIANPOINT((500.,0.,0.));\n#74=IFCVECTOR(#15,1.);\n"
    );
    within(area("#80", &upon(&turning)), 3.0);
    let quarter = "#80=IFCRECTANGULARTRIMMEDSURFACE(#81,0.,0.,3.141592653589793,1.,.T.,.T.);\n\
        #81=IFCSURFACEOFREVOLUTION(#82,$,#83);\n#82=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#84);\n\
        #83=IFCAXIS1PLACEMENT(#7,#15);\n#84=IFCPOLYLINE((#85,#86,#87));\n#85=IFCCARTESIANPOINT((500.,0.,0.));\n\
        #86=IFCCARTESIANPOINT((500.,0.,2000.));\n#87=IFCCARTESIANPOINT((500.,0.,3000.));\n";
    within(area("#80", quarter), PI);
    let turned = "#80=IFCSURFACEOFREVOLUTION(#81,$,#82);\n#81=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#83);\n\
        #82=IFCAXIS1PLACEMENT(#7,#15);\n#83=IFCPOLYLINE((#84,#85));\n\
        #84=IFCCARTESIANPOINT((500.,0.,0.));\n#85=IFCCARTESIANPOINT((500.,0.,2000.));";
    within(area("#80", turned), 2.0 * PI);
}

/// Bodies to be spoiled: the lines of item #80.
pub(super) fn samples() -> Vec<String> {
    vec![cylinder(true).written(), cylinder(false).written(), pillow("0.,").written()]
}
