//! Structs, arrays and vectors as values: taking them apart and putting them together.
//!
//! Idea: the scalars of an aggregate stand in a list, so extracting and inserting select a range of it.
//! A variable index into a vector becomes a chain of selections.

use kripke_elts::{BinaryOp, Expr, NondetSource, Type as Scalar};

use crate::ir::{Flag, Type, Value};

use super::expressions::{as_boolean, as_unsigned, binary, boolean, int, select};
use super::function::FunctionTranslator;
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// The scalars of an operand of which some are about to be overwritten, from `first` on: undefined ones
    /// among the others are any values.
    fn base_value(&mut self, ty: &Type, value: &Value, first: usize, count: usize) -> Step<Vec<Expr>> {
        let Value::Constant(constant) = value else {
            return self.value(ty, value);
        };
        let mut values = self.unit.constant(self.module, ty, constant)?;
        let leaves = self.types.leaves(ty)?;
        let undefined = self.undefined_of(ty, value)?;
        let kept = |at: usize| at < first || at - first >= count;
        for (at, (value, leaf)) in values.iter_mut().zip(&leaves).enumerate() {
            if undefined[at] && kept(at) {
                *value = self.nondet("undefined", leaf.ty, NondetSource::Uninitialised);
            }
        }
        Ok(values)
    }

    /// `extractvalue`.
    pub fn write_extract_value(
        &mut self,
        name: &'m str,
        aggregate: &(Type, Value),
        path: &[u32],
    ) -> Step<()> {
        let values = self.value(&aggregate.0, &aggregate.1)?;
        match self.types.select(&aggregate.0, path) {
            Some((first, count, _)) if first + count <= values.len() => {
                self.values.insert(name, values[first..first + count].to_vec());
                Ok(())
            }
            _ => unsupported("extractvalue with a path that does not exist"),
        }
    }

    /// `insertvalue`.
    pub fn write_insert_value(
        &mut self,
        name: &'m str,
        aggregate: &(Type, Value),
        value: &(Type, Value),
        path: &[u32],
    ) -> Step<()> {
        let inserted = self.value(&value.0, &value.1)?;
        let Some((first, count, _)) = self.types.select(&aggregate.0, path) else {
            return unsupported("insertvalue with a path that does not exist");
        };
        let mut values = self.base_value(&aggregate.0, &aggregate.1, first, count)?;
        match count {
            _ if first + count <= values.len() && inserted.len() == count => {
                values.splice(first..first + count, inserted);
                self.values.insert(name, values);
                Ok(())
            }
            _ => unsupported("insertvalue with a path that does not exist"),
        }
    }

    /// `extractelement`.
    pub fn write_extract_element(
        &mut self,
        name: &'m str,
        vector: &(Type, Value),
        index: &(Type, Value),
    ) -> Step<()> {
        let values = self.value(&vector.0, &vector.1)?;
        let place = self.scalar(&index.0, &index.1)?;
        let width = self.index_width(&index.0)?;
        let Type::Vector(count, element) = self.types.resolve(&vector.0).clone() else {
            return unsupported("extractelement of something that is no vector");
        };
        let chosen = match as_unsigned(&place) {
            Some(known) => usize::try_from(known)
                .ok()
                .and_then(|known| values.get(known))
                .cloned(),
            None => {
                let mut values = values.into_iter().enumerate().rev();
                let last = values.next().map(|(_, value)| value);
                last.map(|last| {
                    values.fold(last, |otherwise, (at, value)| {
                        let here = binary(BinaryOp::Eq, place.clone(), int(width, at as i128));
                        select(here, value, otherwise)
                    })
                })
            }
        };
        let Some(mut value) = chosen else {
            return unsupported("extractelement outside the vector");
        };
        if let Some(element) = self.types.scalar(&element) {
            let is_outside = is_outside(&place, width, count);
            value = self.unless_poison(is_outside, element, value);
        }
        self.define(name, &element, vec![value])
    }

    /// `insertelement`.
    pub fn write_insert_element(
        &mut self,
        name: &'m str,
        vector: &(Type, Value),
        value: &(Type, Value),
        index: &(Type, Value),
    ) -> Step<()> {
        let inserted = self.scalar(&value.0, &value.1)?;
        let place = self.scalar(&index.0, &index.1)?;
        let width = self.index_width(&index.0)?;
        let known = as_unsigned(&place).map(|known| usize::try_from(known).unwrap_or(usize::MAX));
        let replaced = known.map_or((0, 0), |known| (known, 1));
        let mut values = self.base_value(&vector.0, &vector.1, replaced.0, replaced.1)?;
        match known {
            Some(known) => match values.get_mut(known) {
                Some(element) => *element = inserted,
                None => return unsupported("insertelement outside the vector"),
            },
            None => {
                let leaves = self.types.leaves(&vector.0)?;
                let is_outside = is_outside(&place, width, values.len() as u64);
                for (at, element) in values.iter_mut().enumerate() {
                    let here = binary(BinaryOp::Eq, place.clone(), int(width, at as i128));
                    let value = select(here, inserted.clone(), element.clone());
                    *element = self.unless_poison(is_outside.clone(), leaves[at].ty, value);
                }
            }
        }
        self.define(name, &vector.0, values)
    }

    fn index_width(&self, ty: &Type) -> Step<u32> {
        match self.types.scalar(ty) {
            Some(Scalar::Int(width)) => Ok(width),
            _ => unsupported("a vector index that is no integer"),
        }
    }

    /// `shufflevector`.
    pub fn write_shuffle(
        &mut self,
        name: &'m str,
        left: &(Type, Value),
        right: &(Type, Value),
        mask: &(Type, Value),
    ) -> Step<()> {
        let Type::Vector(length, element) = self.types.resolve(&left.0).clone() else {
            return unsupported("shufflevector of something that is no vector");
        };
        let length = length as usize;
        let mut values = self.base_value(&left.0, &left.1, 0, length)?;
        values.extend(self.base_value(&right.0, &right.1, 0, length)?);
        let mut undefined = self.undefined_of(&left.0, &left.1)?;
        undefined.extend(self.undefined_of(&right.0, &right.1)?);
        let places = match &mask.1 {
            Value::Constant(constant) => self.unit.constant(self.module, &mask.0, constant)?,
            _ => return unsupported("shufflevector with a mask that is no constant"),
        };
        let anywhere = self.undefined_of(&mask.0, &mask.1)?;
        let scalar = self.types.leaves(&element)?.first().map(|leaf| leaf.ty);
        let mut chosen = Vec::with_capacity(places.len());
        for (place, is_anything) in places.iter().zip(anywhere) {
            let place = as_unsigned(place).and_then(|place| usize::try_from(place).ok());
            let (Some(place), Some(scalar)) = (place.filter(|&place| place < values.len()), scalar) else {
                return unsupported("shufflevector with a mask outside its operands");
            };
            chosen.push(if is_anything || undefined[place] {
                self.nondet("undefined", scalar, NondetSource::Uninitialised)
            } else {
                values[place].clone()
            });
        }
        self.define(name, &Type::Vector(chosen.len() as u64, element), chosen)
    }

    /// `select`, of scalars, vectors (by element) and aggregates.
    pub fn write_select(
        &mut self,
        name: &'m str,
        condition: &(Type, Value),
        then: &(Type, Value),
        otherwise: &(Type, Value),
        flags: &[Flag],
    ) -> Step<()> {
        let conditions = self.value(&condition.0, &condition.1)?;
        let then_values = self.value(&then.0, &then.1)?;
        let other_values = self.value(&otherwise.0, &otherwise.1)?;
        let by_element = matches!(self.types.resolve(&condition.0), Type::Vector(..));
        let Some(first) = conditions.first().cloned() else {
            return unsupported("select without a condition");
        };
        if !by_element && let Some(decided) = as_boolean(&first) {
            let chosen = if decided { then_values } else { other_values };
            self.values.insert(name, chosen);
            return Ok(());
        }
        let conditions = if by_element {
            conditions
        } else {
            vec![first; then_values.len()]
        };
        let values = conditions
            .into_iter()
            .zip(then_values.into_iter().zip(other_values));
        let values = values
            .map(|(condition, (a, b))| select(condition, a, b))
            .collect();
        self.define_float(name, &then.0, values, flags)
    }
}

/// True where an index selects no element of a vector.
fn is_outside(place: &Expr, width: u32, count: u64) -> Expr {
    if width < 64 && count >= 1 << width {
        return boolean(false);
    }
    binary(BinaryOp::ULe, int(width, i128::from(count)), place.clone())
}
