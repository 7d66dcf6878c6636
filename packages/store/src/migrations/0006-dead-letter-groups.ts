/**
 * What dead letters are grouped by: the same error at the same line is one thing to mend. Made where a letter is
 * recorded, for SQL cannot look into `detail` (an escaped U+0000 is an error there). Letters of before are one
 * group a node.
 */
export const SQL = `
alter table millrace.dead_letters add column group_hash bytea;
alter table millrace.dead_letters add column error text not null default '';
alter table millrace.dead_letters add column place text;
create index on millrace.dead_letters (pipeline, node, number);
create index on millrace.dead_letters (pipeline, group_hash, number);
`;
