/**
 * Who may do what: the instance, workspaces, accounts and everything that opens a door. Secrets are kept as
 * SHA-256 (they are random, 256 bits) or argon2id (passwords); whoever reads these tables can log in nowhere.
 */
export const SQL = `
-- One row. The id names cookies, so that two servers on one machine do not log each other out.
create table millrace.instance (
  only_row bool primary key default true check (only_row),
  id text not null default 'i_' || left(replace(gen_random_uuid()::text, '-', ''), 12),
  created_at timestamptz not null default now()
);
insert into millrace.instance default values;

create table millrace.workspaces (
  id text primary key,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now()
);
insert into millrace.workspaces (id, name) values ('w_default', 'Workspace');

create table millrace.accounts (
  id text primary key,
  email text not null unique check (email = lower(email) and char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 100),
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table millrace.memberships (
  workspace text not null references millrace.workspaces (id),
  account text not null references millrace.accounts (id) on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  joined_at timestamptz not null default now(),
  primary key (workspace, account)
);
create index on millrace.memberships (account);

create table millrace.sessions (
  id text primary key,
  token_hash bytea not null unique,
  account text not null references millrace.accounts (id) on delete cascade,
  workspace text not null references millrace.workspaces (id),
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on millrace.sessions (account);
create index on millrace.sessions (expires_at);

-- Single use: the secret is in the fragment of a link.
create table millrace.invitations (
  id text primary key,
  workspace text not null references millrace.workspaces (id),
  secret_hash bytea not null unique,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  -- Set: only for this address.
  email text check (email = lower(email)),
  invited_by text references millrace.accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Links of the operator: the owner's first one, and new passwords.
create table millrace.account_links (
  secret_hash bytea primary key,
  kind text not null check (kind in ('setup', 'password')),
  account text references millrace.accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((kind = 'password') = (account is not null))
);

create table millrace.api_tokens (
  id text primary key,
  workspace text not null references millrace.workspaces (id),
  account text not null references millrace.accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  token_hash bytea not null unique,
  scopes text[] not null,
  -- Set: good for this pipeline only.
  pipeline text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index on millrace.api_tokens (account);

create table millrace.audit_events (
  number int8 primary key generated always as identity,
  workspace text not null references millrace.workspaces (id),
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('account', 'token', 'system')),
  -- No references: what happened stays told after its actor or target is gone.
  actor text not null,
  actor_name text not null,
  action text not null,
  target text,
  detail json not null
);
create index on millrace.audit_events (workspace, number);
create index on millrace.audit_events (workspace, target, number);

-- One row per limited thing: when the next attempt would be on time if all had been evenly spaced (GCRA).
create table millrace.rate_limits (
  bucket bytea primary key,
  due_at timestamptz not null
);
create index on millrace.rate_limits (due_at);
`;
