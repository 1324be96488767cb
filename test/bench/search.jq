# Prints the ids of the records that have these words in their name.
select(any(.opacObjectFieldSets[] | select(.identifier == "name").opacObjectFields[].value; test("\\bno\\. 11111\\b"))) | .opacObjectId
