//! Structs, arrays and vectors as values: taking them apart and putting them together.
//!
//! Idea: the scalars of an aggregate stand in a list, so extracting and inserting select a range of it.
//! A variable index into a vector becomes a chain of selections.

use kripke_elts::{BinaryOp, Expr, Type as Scalar};

use crate::ir::{Constant, Type, Value};

use super::expressions::{as_boolean, as_unsigned, binary, int, select};
use super::function::FunctionTranslator;
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// The scalars of an operand that is about to be overwritten in part: undefined ones are zero.
    fn base_value(&mut self, ty: &Type, value: &Value) -> Step<Vec<Expr>> {
        match value {
            Value::Constant(constant @ (Constant::Undef | Constant::Poison)) => {
                self.unit.constant(self.module, ty, constant)
            }
            _ => self.value(ty, value),
        }
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
        let mut values = self.base_value(&aggregate.0, &aggregate.1)?;
        let inserted = self.value(&value.0, &value.1)?;
        match self.types.select(&aggregate.0, path) {
            Some((first, count, _)) if first + count <= values.len() && inserted.len() == count => {
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
        let Type::Vector(_, element) = self.types.resolve(&vector.0).clone() else {
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
        match chosen {
            Some(value) => self.define(name, &element, vec![value]),
            None => unsupported("extractelement outside the vector"),
        }
    }

    /// `insertelement`.
    pub fn write_insert_element(
        &mut self,
        name: &'m str,
        vector: &(Type, Value),
        value: &(Type, Value),
        index: &(Type, Value),
    ) -> Step<()> {
        let mut values = self.base_value(&vector.0, &vector.1)?;
        let inserted = self.scalar(&value.0, &value.1)?;
        let place = self.scalar(&index.0, &index.1)?;
        let width = self.index_width(&index.0)?;
        match as_unsigned(&place) {
            Some(known) => match usize::try_from(known)
                .ok()
                .and_then(|known| values.get_mut(known))
            {
                Some(element) => *element = inserted,
                None => return unsupported("insertelement outside the vector"),
            },
            None => {
                for (at, element) in values.iter_mut().enumerate() {
                    let here = binary(BinaryOp::Eq, place.clone(), int(width, at as i128));
                    *element = select(here, inserted.clone(), element.clone());
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
        let mut values = self.base_value(&left.0, &left.1)?;
        values.extend(self.base_value(&right.0, &right.1)?);
        let Type::Vector(_, element) = self.types.resolve(&left.0).clone() else {
            return unsupported("shufflevector of something that is no vector");
        };
        let places = self.base_value(&mask.0, &mask.1)?;
        let chosen: Option<Vec<Expr>> = places
            .iter()
            .map(|place| values.get(usize::try_from(as_unsigned(place)?).ok()?).cloned())
            .collect();
        match chosen {
            Some(chosen) => self.define(name, &Type::Vector(chosen.len() as u64, element), chosen),
            None => unsupported("shufflevector with a mask outside its operands"),
        }
    }

    /// `select`, of scalars, vectors (by element) and aggregates.
    pub fn write_select(
        &mut self,
        name: &'m str,
        condition: &(Type, Value),
        then: &(Type, Value),
        otherwise: &(Type, Value),
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
        self.define(name, &then.0, values)
    }
}
