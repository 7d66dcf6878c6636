/** Starts come as hexadecimal digits: the statement is a `copy`, which takes no parameters. */
export function readPages(pipeline: number, space: number, starts: readonly string[]): string {
  if (!Number.isSafeInteger(space)) throw new RangeError(`not a space: ${space}`);
  const list = starts.map((start) => {
    if (!/^[0-9a-f]*$/.test(start)) throw new RangeError('not hexadecimal');
    return `'\\x${start}'`;
  });
  return `
select p.start, p.body
  from unnest(array[${list.join(',')}]::bytea[]) as d (start)
  join millrace.pages p
    on p.pipeline = ${pipeline} and p.space = ${space}
   and p.start_key = case when octet_length(d.start) <= 1024 then d.start
                          else substring(d.start for 993) || sha256(d.start) end`;
}
