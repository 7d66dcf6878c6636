const COLUMNS = 'v.number, v.hash, v.folder, v.plan, v.bundle, v.sdk_version';

/** $1 pipeline, $2 number. */
export const GET_VERSION = `
select ${COLUMNS} from millrace.versions v where v.pipeline = $1::int4 and v.number = $2::int4`;

/** $1 pipeline. */
export const CURRENT_VERSION = `
select ${COLUMNS}
  from millrace.versions v join millrace.pipelines p on p.number = v.pipeline and p.current_version = v.number
 where p.number = $1::int4`;

/** $1 pipeline: two savers number their versions one after the other. */
export const LOCK_PIPELINE = `
select number from millrace.pipelines where number = $1::int4 for update`;

/** $1 pipeline, $2 content hash. */
export const FIND_VERSION = `
select number from millrace.versions where pipeline = $1::int4 and content_hash = $2::bytea`;

/** $1 pipeline, $2 content hash, $3 hash, $4 folder, $5 plan, $6 bundle, $7 SDK version. */
export const INSERT_VERSION = `
insert into millrace.versions (pipeline, number, content_hash, hash, folder, plan, bundle, sdk_version)
select $1::int4, coalesce(max(number), 0) + 1, $2::bytea, $3::bytea, $4::bytea, $5::bytea, $6::bytea, $7::bytea
  from millrace.versions where pipeline = $1::int4
returning number`;

/** $1 pipeline, $2 number. */
export const ACTIVATE_VERSION = `
update millrace.pipelines set current_version = $2::int4 where number = $1::int4`;
