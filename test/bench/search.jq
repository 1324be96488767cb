# jq on a file: the ids of the records with those words in their name.
select(any(.opacObjectFieldSets[] | select(.identifier == "name").opacObjectFields[].value; test("\\bno\\. 11111\\b"))) | .opacObjectId
