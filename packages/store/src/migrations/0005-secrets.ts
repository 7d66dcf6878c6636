/**
 * Secrets as ciphertext only, and what an admin lets connectors reach. A version comes from one sequence, so that
 * it is never given twice, not even to a secret that is deleted and made again: it is bound into the ciphertext.
 */
export const SQL = `
create sequence millrace.secret_versions as int8;

create table millrace.secrets (
  workspace text not null,
  name text not null check (octet_length(name) between 1 and 100),
  version int8 not null,
  key_id bytea not null check (octet_length(key_id) = 8),
  nonce bytea not null check (octet_length(nonce) = 12),
  -- Ciphertext and the 16 bytes of its tag.
  sealed bytea not null check (octet_length(sealed) >= 16),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  primary key (workspace, name)
);
alter table millrace.secrets alter column sealed set storage external;

create table millrace.access_settings (
  workspace text primary key,
  folders text[] not null default '{}',
  hosts text[] not null default '{}',
  version int8 not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null
);
`;
