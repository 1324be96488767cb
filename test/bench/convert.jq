[.opacObjectId, .slug, (.opacObjectFieldSets[] | [.opacObjectFields[].value] | join("|"))] | @csv
