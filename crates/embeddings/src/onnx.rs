//! What an ONNX file holds, of which little is wanted here: tensors by their names, and the nodes that tell which tensor is used for
//! what. Nothing is computed. The file is one message of protocol buffers; lengths that it states are believed only as far as there are
//! bytes.

use std::collections::HashMap;

/// The most nodes and the most tensors of a graph.
const MOST: usize = 100_000;
/// The most inputs and outputs of a node, and lengths of a tensor.
const MOST_OF_ONE: usize = 100;

/// The code of floating-point numbers of four bytes.
pub const FLOAT: u64 = 1;
/// The code of whole numbers of one byte.
pub const INT8: u64 = 3;

/// A tensor with its numbers as bytes, the least first.
pub struct Tensor<'a> {
    /// The code of its kind of numbers.
    pub kind: u64,
    /// Its lengths.
    pub shape: Vec<usize>,
    /// Its numbers.
    pub bytes: &'a [u8],
}

/// A step of the computation.
pub struct Node<'a> {
    /// The name of its operator.
    pub operator: &'a str,
    /// The names of what goes in.
    pub inputs: Vec<&'a str>,
    /// The names of what comes out.
    pub outputs: Vec<&'a str>,
}

/// A model's tensors and nodes.
#[derive(Default)]
pub struct Graph<'a> {
    tensors: HashMap<&'a str, Tensor<'a>>,
    nodes: Vec<Node<'a>>,
}

impl<'a> Graph<'a> {
    /// Reads a file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, &'static str> {
        let mut graph = None;
        for field in fields(bytes) {
            if let (7, Value::Bytes(bytes)) = field? {
                graph = Some(Self::read_graph(bytes)?);
            }
        }
        graph.ok_or("it is no model in ONNX")
    }

    fn read_graph(bytes: &'a [u8]) -> Result<Self, &'static str> {
        let mut graph = Self::default();
        for field in fields(bytes) {
            match field? {
                (1, Value::Bytes(bytes)) => graph.nodes.push(read_node(bytes)?),
                (5, Value::Bytes(bytes)) => {
                    let (name, tensor) = read_tensor(bytes)?;
                    graph.tensors.insert(name, tensor);
                }
                _ => {}
            }
            if graph.nodes.len() > MOST || graph.tensors.len() > MOST {
                return Err("it has more nodes or tensors than any model of language");
            }
        }
        Ok(graph)
    }

    /// The tensor of a name.
    pub fn tensor(&self, name: &str) -> Option<&Tensor<'a>> {
        self.tensors.get(name)
    }

    /// The names of all tensors.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.tensors.keys().copied()
    }

    /// The node from which something comes.
    pub fn source(&self, name: &str) -> Option<&Node<'a>> {
        self.nodes.iter().find(|node| node.outputs.contains(&name))
    }

    /// The node of an operator into which something goes.
    pub fn user(&self, name: &str, operator: &str) -> Option<&Node<'a>> {
        self.nodes.iter().find(|node| node.operator == operator && node.inputs.contains(&name))
    }
}

fn read_node(bytes: &[u8]) -> Result<Node<'_>, &'static str> {
    let mut node = Node { operator: "", inputs: Vec::new(), outputs: Vec::new() };
    for field in fields(bytes) {
        match field? {
            (1, Value::Bytes(name)) => node.inputs.push(text(name)?),
            (2, Value::Bytes(name)) => node.outputs.push(text(name)?),
            (4, Value::Bytes(name)) => node.operator = text(name)?,
            _ => {}
        }
        if node.inputs.len() + node.outputs.len() > MOST_OF_ONE {
            return Err("a node has more inputs than any of a model of language");
        }
    }
    Ok(node)
}

fn read_tensor(bytes: &[u8]) -> Result<(&str, Tensor<'_>), &'static str> {
    let mut tensor = Tensor { kind: 0, shape: Vec::new(), bytes: &[] };
    let mut name = "";
    let length = |length: u64| usize::try_from(length).map_err(|_| "a tensor has no size");
    for field in fields(bytes) {
        match field? {
            (1, Value::Number(own)) => tensor.shape.push(length(own)?),
            // several in one
            (1, Value::Bytes(mut rest)) => {
                while !rest.is_empty() && tensor.shape.len() <= MOST_OF_ONE {
                    tensor.shape.push(length(number(&mut rest)?)?);
                }
            }
            (2, Value::Number(kind)) => tensor.kind = kind,
            (8, Value::Bytes(bytes)) => name = text(bytes)?,
            (9, Value::Bytes(bytes)) => tensor.bytes = bytes,
            _ => {}
        }
        if tensor.shape.len() > MOST_OF_ONE {
            return Err("a tensor has more lengths than any of a model of language");
        }
    }
    Ok((name, tensor))
}

/// The value of a field.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// One of a fixed length; none is wanted.
    Other,
}

/// The fields of a message with their numbers; the last is an error where the message is damaged.
fn fields(mut rest: &[u8]) -> impl Iterator<Item = Result<(u64, Value<'_>), &'static str>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let field = field(&mut rest);
        if field.is_err() {
            rest = &[];
        }
        Some(field)
    })
}

fn field<'a>(rest: &mut &'a [u8]) -> Result<(u64, Value<'a>), &'static str> {
    let head = number(rest)?;
    let value = match head & 7 {
        0 => Value::Number(number(rest)?),
        1 => {
            taken(rest, 8)?;
            Value::Other
        }
        2 => {
            let length = number(rest)?;
            Value::Bytes(taken(rest, length)?)
        }
        5 => {
            taken(rest, 4)?;
            Value::Other
        }
        _ => return Err("it is no model in ONNX"),
    };
    Ok((head >> 3, value))
}

fn taken<'a>(rest: &mut &'a [u8], length: u64) -> Result<&'a [u8], &'static str> {
    let length = usize::try_from(length).map_err(|_| ENDS)?;
    let (taken, after) = rest.split_at_checked(length).ok_or(ENDS)?;
    *rest = after;
    Ok(taken)
}

const ENDS: &str = "it ends too early";

/// A number of seven bits to a byte, the least first.
fn number(rest: &mut &[u8]) -> Result<u64, &'static str> {
    let mut number = 0_u64;
    for place in 0..10 {
        let (byte, after) = rest.split_first().ok_or(ENDS)?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err("it is no model in ONNX")
}

fn text(bytes: &[u8]) -> Result<&str, &'static str> {
    std::str::from_utf8(bytes).map_err(|_| "it is no model in ONNX")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of bytes.
    fn put(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u8::try_from(bytes.len()).unwrap();
        assert!(length < 0x80);
        [&[number << 3 | 2, length], bytes].concat()
    }

    /// A model of one matrix of 2 × 300 bytes, of which two are there, and one node.
    fn model() -> Vec<u8> {
        let tensor = [
            // its lengths, once by themselves and once together
            vec![0x08, 2],
            put(1, &[0xac, 0x02]),
            vec![0x10, 3],
            put(8, b"matrix"),
            put(9, &[7, 255]),
        ];
        let node = [put(1, b"x"), put(1, b"matrix"), put(2, b"y"), put(3, b"name"), put(4, b"MatMul")];
        // fields of fixed lengths, which are passed over
        let others = vec![0x41 | 0x30, 1, 2, 3, 4, 5, 6, 7, 8, 0x45 | 0x30, 1, 2, 3, 4];
        let graph = [put(1, &node.concat()), others, put(5, &tensor.concat())].concat();
        [vec![0x08, 10], put(7, &graph)].concat()
    }

    #[test]
    fn tensors_and_nodes_are_read() {
        let bytes = model();
        let graph = Graph::read(&bytes).unwrap();
        let tensor = graph.tensor("matrix").unwrap();
        assert_eq!(
            (tensor.kind, tensor.shape.as_slice(), tensor.bytes),
            (INT8, [2, 300].as_slice(), [7, 255].as_slice())
        );
        assert_eq!(graph.names().collect::<Vec<_>>(), ["matrix"]);
        assert_eq!(graph.source("y").unwrap().inputs, ["x", "matrix"]);
        assert!(graph.user("matrix", "MatMul").is_some() && graph.user("matrix", "Add").is_none());
    }

    #[test]
    fn a_damaged_file_is_an_error_or_another_graph() {
        let bytes = model();
        // the first field is whole by itself
        for end in (0..bytes.len()).filter(|end| *end != 2) {
            assert!(Graph::read(&bytes[..end]).is_err(), "{end}");
        }
        for at in 0..bytes.len() {
            for by in 1..=255 {
                let mut damaged = bytes.clone();
                damaged[at] = damaged[at].wrapping_add(by);
                let _ = Graph::read(&damaged);
            }
        }
        assert!(Graph::read(&[0xff; 100]).is_err());
        // a length that is larger than memory
        assert!(Graph::read(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).is_err());
    }

    #[test]
    fn a_node_or_tensor_beyond_measure_is_refused() {
        // a message within another, of any length
        let within = |number: u8, bytes: &[u8]| {
            let length = u16::try_from(bytes.len()).unwrap();
            let (low, high) = ((length & 0x7f) as u8 | 0x80, (length >> 7) as u8);
            [&[number << 3 | 2, low, high], bytes].concat()
        };
        let names = |count: usize| within(7, &within(1, &[0x0a, 0].repeat(count)));
        assert!(Graph::read(&names(100)).is_ok());
        assert!(Graph::read(&names(101)).is_err());
        let lengths = |count: usize| within(7, &within(5, &[0x08, 1].repeat(count)));
        assert!(Graph::read(&lengths(100)).is_ok());
        assert!(Graph::read(&lengths(101)).is_err());
        let together = |count: usize| within(7, &within(5, &within(1, &[1].repeat(count))));
        assert!(Graph::read(&together(100)).is_ok());
        assert!(Graph::read(&together(101)).is_err());
    }
}
