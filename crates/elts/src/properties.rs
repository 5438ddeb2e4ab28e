//! Properties as users see them: with stable names and places.

use rustc_hash::FxHashMap;

use kripke_model::{Place, Property, PropertyKind};

use crate::START;
use crate::ids::{FunctionId, IdVec, PropertyId};
use crate::program::{Position, Program};

impl Program {
    /// A position in words. `function` names the function it is in.
    pub fn place(&self, position: Position, function: &str) -> Place {
        let file = self.files.get(position.file).filter(|_| position.line != 0);
        Place {
            file: file.map(|file| file.path.clone()).unwrap_or_default(),
            line: position.line,
            column: position.column,
            function: function.to_owned(),
        }
    }

    /// The property with its name and place. The name is `function.kind.N`, N counting from 1 within
    /// function and kind in the order of the table.
    pub fn public_properties(&self) -> IdVec<PropertyId, Property> {
        let mut counts: FxHashMap<(FunctionId, PropertyKind), u32> = FxHashMap::default();
        let mut properties = IdVec::new();
        for site in self.properties.iter() {
            let count = counts.entry((site.function, site.kind)).or_default();
            *count += 1;
            let function = self.name_for_users(site.function);
            properties.push(Property {
                id: format!("{function}.{}.{count}", site.kind.name()),
                kind: site.kind,
                description: site.description.clone(),
                place: self.place(site.position, function),
            });
        }
        properties
    }

    /// The name of a function as users know it: what runs before and after the function in which the program
    /// starts has the name of that one, and is where that one is.
    pub fn name_for_users(&self, id: FunctionId) -> &str {
        let Some(function) = self.functions.get(id) else {
            return "";
        };
        let starts = |name: &str| name.starts_with(START);
        let mut others = self.functions.iter().filter(|other| !starts(&other.name));
        let known = match starts(&function.name) {
            true => others.find(|other| other.position == function.position),
            false => None,
        };
        let name = known.map_or(&*function.name, |known| &*known.name);
        name.strip_prefix("__kripke_").unwrap_or(name)
    }

    /// Is the position in a model of the C library?
    pub fn is_library(&self, position: Position) -> bool {
        self.files
            .get(position.file)
            .is_some_and(|file| file.is_library_model)
    }
}
