//! What answers a question: words by BM25, names before text, phrases and exact names.

use super::fields::{EVERY_VERSION, Fields};
use super::meaning::SectionVectors;
use super::near::{self, NearWord};
use super::question::{AskedWord, Question};
use super::snippet::{self, Needles, Snippet};
use super::{Index, IndexError};
use crate::words::{as_part, fold};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tantivy::collector::TopDocs;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EnableScoring, Occur, PhraseQuery, Query,
    Scorer, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Searcher, Term};

/// Hits that one search answers.
pub const MOST_HITS: usize = 200;
/// Sections found by words, and as many that are near in meaning, that are joined.
const JOINED: usize = 50;
/// How little the first places of either list count more than those after them. The method's usual 60 is for lists that are equally good;
/// here the one by words is better, and its first places say much.
const FIRST_PLACES: f32 = 5.0;
/// How much a place in meaning counts beside one by words.
const MEANT: f32 = 0.4;
/// Sections that are scored anew by how many words of the question they have.
const CANDIDATES: usize = 120;
/// The power by which rare words count before common ones.
const RARE: f32 = 0.4;
/// The power by which a section that says a word more counts before one that only has it.
const SAID: f32 = 0.4;
/// The weight of what is found beside single words: phrases, neighbours, names.
const BESIDE: f32 = 0.5;
/// The score of a name that is the whole question.
const EXACT: f32 = 1_000.0;
/// The score of a name that is a word of the question.
const NAMED: f32 = 12.0;
/// The weight of an English word beside the German one that was written.
const TRANSLATED: f32 = 0.8;
/// The weight of a stem beside the word as it is written.
const STEM: f32 = 0.85;
/// The weight of a part of a compound or of an identifier.
const PART: f32 = 0.45;
/// The weight of the last part of a compound.
const HEAD: f32 = 0.8;
/// The weight of two words that stand side by side in a text as in the question.
const SIDE_BY_SIDE: f32 = 0.1;
/// The share of the other fields where a word is in several.
const OTHER_FIELDS: f32 = 0.25;

/// The sections that are asked for; what is empty holds for all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Only of one of these corpora.
    pub corpora: Vec<String>,
    /// Only what is true for one of these versions, or hangs on none.
    pub versions: Vec<String>,
    /// Only with each of these tags.
    pub tags: Vec<String>,
    /// Only of one of these documents, by address.
    pub documents: Vec<String>,
    /// How much sections of a corpus count beside others; 1 where it is not said.
    pub weights: Vec<(String, f32)>,
}

/// A section that answers a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Its address.
    pub location: String,
    /// Its corpus.
    pub corpus: String,
    /// Its title.
    pub title: String,
    /// The titles above it.
    pub path: Vec<String>,
    /// The versions that it is true for.
    pub versions: Vec<String>,
    /// Its page.
    pub page: Option<u32>,
    /// How well it answers; of no meaning but to compare hits of one search.
    pub score: f32,
    /// The place of its text that answers best.
    pub snippet: Snippet,
}

/// A word of the question that the index does not have, and those that were asked for in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The word as it was written.
    pub written: String,
    /// The words of the index near it; none if nothing is near.
    pub taken: Vec<String>,
}

/// The answer to a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The sections that answer it, best first.
    pub hits: Vec<Hit>,
    /// The words that were read otherwise than written, or not found at all.
    pub corrections: Vec<Correction>,
    /// True if no section has the phrases in quotes, so that their words were asked for one by one.
    pub phrases_given_up: bool,
}

impl Index {
    /// The sections that answer a question best, by its words.
    pub fn search(&self, text: &str, filter: &Filter, limit: usize) -> Result<Answer, IndexError> {
        self.search_near(text, None, filter, limit)
    }

    /// The sections that answer a question best, by its words and, where vectors are given with the question's own, by what it means: both
    /// lists joined by rank. A name that is the whole question comes first.
    pub fn search_near(
        &self,
        text: &str,
        near: Option<(&SectionVectors, &[f32])>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Answer, IndexError> {
        let question = {
            let mut words = self.words.lock();
            Question::read(text, &mut words)
        };
        let mut answer = Answer::default();
        if question.words.is_empty() || limit == 0 || self.is_empty() {
            return Ok(answer);
        }
        let searcher = self.searcher();
        let mut needles = Needles::default();
        let mut asked: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut of_words: Vec<Box<dyn Query>> = Vec::new();
        for word in &question.words {
            let near = self.near(&searcher, word, &mut answer.corrections)?;
            needles.add(word, &near);
            let query = word_query(&self.fields, word, &near);
            of_words.push(query.box_clone());
            asked.push((Occur::Should, query));
        }
        asked.extend(neighbours(&self.fields, &question));
        asked.extend(names(&self.fields, &question));
        let conditions = conditions(&self.fields, filter);
        let phrases = phrases(&self.fields, &question);
        let limit = limit.min(MOST_HITS);
        let candidates = limit.max(CANDIDATES);
        let mut hits = run(&searcher, &asked, &conditions, &phrases, candidates)?;
        if hits.is_empty() && !phrases.is_empty() {
            answer.phrases_given_up = true;
            hits = run(&searcher, &asked, &conditions, &[], candidates)?;
        }
        let mut hits = rescored(&searcher, hits, &of_words)?;
        for (corpus, weight) in &filter.weights {
            let of_corpus = term(self.fields.corpus, corpus, 1.0, false);
            let addresses: Vec<DocAddress> = hits.iter().map(|(_, address)| *address).collect();
            let is_of = scores_of(&searcher, of_corpus.as_ref(), &addresses)?;
            for (hit, _) in hits.iter_mut().zip(is_of).filter(|(_, score)| *score > 0.0) {
                hit.0 *= weight;
            }
        }
        // alike ones in the order of the index, which is that of their addresses
        hits.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        if let Some((vectors, vector)) = near {
            let near = self.nearest(&searcher, vectors, vector, filter, limit.max(JOINED))?;
            hits = joined(hits, near);
        }
        hits.truncate(limit);
        for (score, address) in hits {
            let Some(section) = self.fields.section(&searcher.doc(address)?) else { continue };
            let snippet = snippet::cut(&section.text, &needles);
            answer.hits.push(Hit {
                location: section.location,
                corpus: section.corpus,
                title: section.title,
                path: section.path,
                versions: section.versions,
                page: section.page,
                score,
                snippet,
            });
        }
        answer.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.location.cmp(&b.location)));
        Ok(answer)
    }

    fn near(
        &self,
        searcher: &Searcher,
        asked: &AskedWord,
        corrections: &mut Vec<Correction>,
    ) -> Result<Vec<NearWord>, IndexError> {
        // with its stems: `walled` is no misspelling where `wall` is known
        for form in asked.word.whole.iter().chain(&asked.word.stems) {
            if near::is_known(searcher, &self.fields, form)? {
                return Ok(Vec::new());
            }
        }
        // nor is a German word that has an English one
        if !asked.english.is_empty() {
            return Ok(Vec::new());
        }
        let Some(whole) = asked.word.whole.first() else { return Ok(Vec::new()) };
        let near = near::near(searcher, &self.fields, whole)?;
        let mut parts = asked.word.parts.iter().chain(&asked.word.humps).flatten();
        let apart = parts.try_fold(false, |any, form| {
            Ok::<bool, IndexError>(any || near::is_known(searcher, &self.fields, form)?)
        })?;
        if !near.is_empty() || !apart {
            let taken = near.iter().map(|word| word.text.clone()).collect();
            corrections.push(Correction { written: asked.written.clone(), taken });
        }
        Ok(near)
    }
}

/// Sections found by words and sections near in meaning as one list, by reciprocal ranks; names that are the whole question first, as by
/// words alone.
fn joined(by_words: Vec<(f32, DocAddress)>, near: Vec<DocAddress>) -> Vec<(f32, DocAddress)> {
    let named = by_words.iter().take_while(|(score, _)| *score >= EXACT * BESIDE).count();
    let mut scores: BTreeMap<DocAddress, f32> = BTreeMap::new();
    let rank = |place: usize| 1.0 / (FIRST_PLACES + 1.0 + place as f32);
    for (place, (_, address)) in by_words.iter().take(JOINED.max(named)).enumerate() {
        let first = if place < named { 1.0 } else { 0.0 };
        scores.insert(*address, first + rank(place));
    }
    for (place, address) in near.into_iter().enumerate() {
        *scores.entry(address).or_default() += MEANT * rank(place);
    }
    let mut hits: Vec<(f32, DocAddress)> =
        scores.into_iter().map(|(address, score)| (score, address)).collect();
    hits.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    hits
}

/// The scores of one query for sections that were found; 0 where it finds nothing in one.
fn scores_of(
    searcher: &Searcher,
    query: &dyn Query,
    sections: &[DocAddress],
) -> Result<Vec<f32>, IndexError> {
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut scores = vec![0.0; sections.len()];
    let mut order: Vec<(DocAddress, &mut f32)> = sections.iter().copied().zip(&mut scores).collect();
    order.sort_by_key(|(address, _)| *address);
    let mut scorer: Option<(u32, Box<dyn Scorer>)> = None;
    for (address, score) in order {
        if scorer.as_ref().is_none_or(|(segment, _)| *segment != address.segment_ord) {
            let reader = searcher.segment_reader(address.segment_ord);
            scorer = Some((address.segment_ord, weight.scorer(reader, 1.0)?));
        }
        let Some((_, own)) = &mut scorer else { continue };
        if own.doc() < address.doc_id {
            own.seek(address.doc_id);
        }
        if own.doc() == address.doc_id {
            *score = own.score();
        }
    }
    Ok(scores)
}

/// Sections that were found, scored anew by how many words of the question they have. A sum of scores is soon that of one rare word said
/// often; here a word counts by how well a section answers it beside the others, and rare words less far before common ones.
fn rescored(
    searcher: &Searcher,
    found: Vec<(f32, DocAddress)>,
    words: &[Box<dyn Query>],
) -> Result<Vec<(f32, DocAddress)>, IndexError> {
    let addresses: Vec<DocAddress> = found.iter().map(|(_, address)| *address).collect();
    let (mut sums, mut counted) = (vec![0.0_f32; found.len()], vec![0.0_f32; found.len()]);
    for word in words {
        let scores = scores_of(searcher, word.as_ref(), &addresses)?;
        let best = scores.iter().copied().fold(0.0, f32::max);
        if best <= 0.0 {
            continue;
        }
        for ((score, sum), counted) in scores.into_iter().zip(&mut sums).zip(&mut counted) {
            *sum += score;
            *counted += best.powf(RARE) * (score / best).powf(SAID);
        }
    }
    let parts = found.into_iter().zip(sums).zip(counted);
    Ok(parts
        .map(|(((score, address), sum), counted)| {
            // what phrases, neighbours and names give beside the words
            ((score - sum).max(0.0) * BESIDE + counted, address)
        })
        .collect())
}

pub(super) type Clauses = Vec<(Occur, Box<dyn Query>)>;

fn run(
    searcher: &Searcher,
    asked: &[(Occur, Box<dyn Query>)],
    conditions: &[(Occur, Box<dyn Query>)],
    phrases: &[(Occur, Box<dyn Query>)],
    limit: usize,
) -> Result<Vec<(f32, DocAddress)>, IndexError> {
    let copy = |clauses: &[(Occur, Box<dyn Query>)]| -> Clauses {
        clauses.iter().map(|(occur, query)| (*occur, query.box_clone())).collect()
    };
    let mut clauses = copy(conditions);
    clauses.extend(copy(phrases));
    clauses.push((Occur::Must, Box::new(BooleanQuery::new(copy(asked)))));
    let query = BooleanQuery::new(clauses);
    Ok(searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?)
}

fn term(field: Field, text: &str, weight: f32, counted: bool) -> Box<dyn Query> {
    let option = if counted { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
    let query = TermQuery::new(Term::from_field_text(field, text), option);
    Box::new(BoostQuery::new(Box::new(query), weight))
}

/// The best of the forms of a word in the best of the fields, and something for the others.
fn best_of(fields: &Fields, forms: &[(&str, f32)]) -> Box<dyn Query> {
    let mut choices: Vec<Box<dyn Query>> = Vec::new();
    for (field, field_weight) in fields.weighted() {
        // a name that says a word twice says it no better
        let counted = field == fields.title || field == fields.text;
        let of_field =
            forms.iter().map(|(form, weight)| term(field, form, field_weight * weight, counted)).collect();
        // within a field forms are the same word
        choices.push(Box::new(DisjunctionMaxQuery::new(of_field)));
    }
    Box::new(DisjunctionMaxQuery::with_tie_breaker(choices, OTHER_FIELDS))
}

fn word_query(fields: &Fields, asked: &AskedWord, near: &[NearWord]) -> Box<dyn Query> {
    let word = &asked.word;
    let mut forms: Vec<(&str, f32)> = word.whole.iter().map(|form| (form.as_str(), 1.0)).collect();
    forms.extend(word.stems.iter().map(|form| (form.as_str(), STEM)));
    forms.extend(near.iter().map(|word| (word.text.as_str(), word.weight)));
    let within: Vec<String> = word.whole.iter().chain(&word.stems).map(|form| as_part(form)).collect();
    forms.extend(within.iter().map(|form| (form.as_str(), PART)));
    let english: Vec<(&str, f32)> =
        asked.english.iter().flatten().map(|form| (form.as_str(), TRANSLATED)).collect();
    forms.extend(english);
    let mut clauses: Clauses = vec![(Occur::Should, best_of(fields, &forms))];
    for (at, part) in word.parts.iter().chain(&word.humps).enumerate() {
        // the last part of a compound is what it is, the others say which: `Treppengeländer`
        let weight = if at + 1 == word.parts.len() { HEAD } else { PART };
        // every class begins with it
        if part.first().is_some_and(|form| matches!(form.as_str(), "ifc" | "pset" | "qto")) {
            continue;
        }
        let within: Vec<String> = part.iter().map(|form| as_part(form)).collect();
        let forms: Vec<(&str, f32)> =
            part.iter().chain(&within).map(|form| (form.as_str(), weight)).collect();
        clauses.push((Occur::Should, best_of(fields, &forms)));
    }
    Box::new(BooleanQuery::new(clauses))
}

/// Words that stand side by side in the question, where they do so in a title, a name or the text.
fn neighbours(fields: &Fields, question: &Question) -> Clauses {
    let mut clauses: Clauses = Vec::new();
    for pair in question.words.windows(2) {
        let [first, second] = pair else { continue };
        let form = |asked: &AskedWord| asked.word.stems.first().or(asked.word.whole.first()).cloned();
        let (Some(first), Some(second)) = (form(first), form(second)) else { continue };
        if first == second {
            continue;
        }
        for (field, weight) in [(fields.title, 1.5), (fields.names, 1.2), (fields.text, 1.0)] {
            let terms = vec![Term::from_field_text(field, &first), Term::from_field_text(field, &second)];
            let query = BoostQuery::new(Box::new(PhraseQuery::new(terms)), weight * SIDE_BY_SIDE);
            clauses.push((Occur::Should, Box::new(query)));
        }
    }
    clauses
}

/// Clauses for sections that are called exactly as the question or a word of it.
fn names(fields: &Fields, question: &Question) -> Clauses {
    let named = |text: &str, score: f32| -> (Occur, Box<dyn Query>) {
        let query = TermQuery::new(Term::from_field_text(fields.identifier, text), IndexRecordOption::Basic);
        (Occur::Should, Box::new(ConstScoreQuery::new(Box::new(query), score)))
    };
    let mut clauses = vec![named(&question.whole, EXACT)];
    for asked in question.words.iter().filter(|asked| asked.is_identifier()) {
        clauses.extend(asked.word.whole.first().map(|whole| named(whole, NAMED)));
    }
    clauses
}

/// Each phrase in one of the fields.
fn phrases(fields: &Fields, question: &Question) -> Clauses {
    let in_field = |phrase: &[String], field: Field, weight: f32| -> Box<dyn Query> {
        let terms = phrase.iter().map(|word| Term::from_field_text(field, word)).collect();
        Box::new(BoostQuery::new(Box::new(PhraseQuery::new(terms)), weight))
    };
    question
        .phrases
        .iter()
        .filter(|phrase| phrase.len() > 1)
        .map(|phrase| -> (Occur, Box<dyn Query>) {
            let choices = fields
                .weighted()
                .into_iter()
                .map(|(field, weight)| in_field(phrase, field, weight))
                .collect();
            (Occur::Must, Box::new(DisjunctionMaxQuery::new(choices)))
        })
        .collect()
}

pub(super) fn conditions(fields: &Fields, filter: &Filter) -> Clauses {
    let one_of = |field: Field, texts: Vec<String>| -> (Occur, Box<dyn Query>) {
        let choices = texts.iter().map(|text| (Occur::Should, term(field, text, 1.0, false))).collect();
        // a condition says nothing on how well a section answers
        (Occur::Must, Box::new(ConstScoreQuery::new(Box::new(BooleanQuery::new(choices)), 0.0)))
    };
    let mut clauses = Vec::new();
    if !filter.corpora.is_empty() {
        clauses.push(one_of(fields.corpus, filter.corpora.clone()));
    }
    if !filter.versions.is_empty() {
        let mut versions: Vec<String> = filter.versions.iter().map(|version| fold(version)).collect();
        versions.push(EVERY_VERSION.to_owned());
        clauses.push(one_of(fields.version, versions));
    }
    for tag in &filter.tags {
        clauses.push(one_of(fields.tag, vec![fold(tag)]));
    }
    if !filter.documents.is_empty() {
        clauses.push(one_of(fields.document, filter.documents.clone()));
    }
    clauses
}
