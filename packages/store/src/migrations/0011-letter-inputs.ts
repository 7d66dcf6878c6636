/**
 * What a dead letter keeps of its input to deliver it again, as JSON text. Apart from `detail`, because it may be large
 * and nobody who looks at letters needs it.
 */
export const SQL = `
alter table millrace.dead_letters add column redrive text;
alter table millrace.dead_letters alter column redrive set storage external;
`;
