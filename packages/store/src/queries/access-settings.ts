export const GET_ACCESS_SETTINGS = `
select folders, hosts, version::text as version
  from millrace.access_settings where workspace = $1`;

/** Version 0 is "not there yet". */
export const PUT_ACCESS_SETTINGS = `
insert into millrace.access_settings as a (workspace, folders, hosts, updated_by)
select $1::text, $2::text[], $3::text[], $4::text where $5::int8 = 0
on conflict (workspace) do nothing
returning version::text as version`;

export const CHANGE_ACCESS_SETTINGS = `
update millrace.access_settings
   set folders = $2, hosts = $3, updated_by = $4, updated_at = now(), version = version + 1
 where workspace = $1 and version = $5
returning version::text as version`;
