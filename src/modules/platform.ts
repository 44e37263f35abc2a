import { sealedOperatorAnswers } from '../platform/http/operator-keys.ts'
import { sealedAnswers } from '../platform/http/realm-keys.ts'
import { access, defineModule, defineTables, operators, stays, worker } from './define-module.ts'

/** What belongs to no module: it has tables as modules do. */
export const platform = defineModule({
  name: 'platform',
  tables: defineTables({
    verifications: {
      written: 'verifications are kept by database/verification.ts',
      times: { began_at: operators, ended_at: operators, whole_began_at: operators, whole_ended_at: operators },
    },
    verified_parts: {
      written: 'verifications are kept by database/verification.ts',
    },
    files: {
      written: 'files are recorded by files/queries.ts',
      staysInReset: 'jobs delete each file after its row',
      readByAll: 'a row that has a file is read with where that is',
      times: { dropped_at: worker, stored_at: worker },
    },
    request_counts: {
      written: 'requests of all nodes are counted by http/shared-counts.ts',
      times: { ends_at: worker },
    },
    file_store: {
      written: 'the store is recorded by files/open-store.ts',
      times: { created_at: operators },
    },
    encryption_key: {
      written: 'the id of the key is written by database/connect.ts',
    },
    data_keys: {
      written: 'keys are made by sealing/vault.ts',
      staysInReset: 'what the audit sealed needs them',
      times: { created_at: access, used_from: access },
    },
    idempotency_keys: {
      written: 'keys are claimed and answers kept by http/realm-keys.ts',
      people: {
        in: 'passing',
        what: 'stored answers',
        sealed: 'yes',
        clear: 'key, status',
        kept: '24 hours',
        readBy: 'callers with the same key',
        erasure: 'deleted if it names the person',
      },
      sealed: [sealedAnswers],
      times: { created_at: stays('a request that is sent again must not run again because another let time pass') },
    },
    list_changes: {
      written: 'triggers write what changed, and database/block-counts.ts reads it',
      staysInReset: 'triggers write what went, too',
      times: { at: worker },
    },
    list_counts: {
      written: 'counts of lists are kept by database/block-counts.ts',
      staysInReset: 'they are computed again after a change',
      times: { computed_at: worker },
    },
    operator_idempotency_keys: {
      written: 'keys are claimed by http/operator-keys.ts',
      people: {
        in: 'passing',
        what: 'the same for the operator',
        sealed: "operator's",
        clear: 'key',
        kept: '24 hours',
        readBy: 'callers with the same key',
        erasure: 'deleted if it names the person, or a kit or order of theirs',
      },
      sealed: [sealedOperatorAnswers],
      times: { created_at: operators },
    },
    packing: {
      written: 'sealing/packing.ts notes that every process reads packed values',
      times: { since: operators },
    },
    process_beats: {
      written: 'processes say that they live by database/heartbeat.ts',
      times: { beat_at: worker },
    },
    schema_migrations: {
      written: 'migrations are applied by database/migrate.ts',
      times: { applied_at: operators },
    },
    transaction_era: {
      written: 'the function kitlane_xact of the database keeps it',
    },
  }),
})
