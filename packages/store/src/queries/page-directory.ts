/** $1 pipeline. `bytea` compares as memcmp. */
export const PAGE_DIRECTORY = `
select space, start from millrace.pages where pipeline = $1::int4 order by space, start`;
