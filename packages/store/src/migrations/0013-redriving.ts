/** A pipeline that rests delivers dead letters again: a state of its own, so that the next host finishes it. */
export const SQL = `
alter table millrace.deployments drop constraint deployments_observed_check;
alter table millrace.deployments add constraint deployments_observed_check
  check (observed in ('starting', 'running', 'paused', 'draining', 'redriving', 'stopped', 'ended', 'failed'));
`;
