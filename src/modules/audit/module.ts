import { appended, defineModule, defineTables, operators } from '../define-module.ts'
import { indexAuditLists, keepAuditPartitions, sealAudit } from './jobs.ts'
import * as auditOperator from './operator-routes.ts'
import * as routes from './routes.ts'
import { sealedWords } from './words-queries.ts'

export const audit = defineModule({
  name: 'audit',
  routes: [routes, auditOperator],
  jobs: [sealAudit, keepAuditPartitions, indexAuditLists],
  tables: defineTables({
    audit_entries: {
      written: 'entries are recorded by service.ts',
      times: { at: appended },
    },
    audit_anchors: {
      written: 'anchors are made by anchors.ts',
      times: { at: operators },
    },
    audit_archived: {
      written: 'what was archived of the audit is written by archive.ts',
    },
    audit_chains: {
      written: 'entries are sealed by seal.ts',
    },
    audit_lists: {
      written: 'the names that lists showed are written by lists.ts',
    },
    audit_readers: {
      written: 'sealed entries are read on by reader.ts',
      times: { held_until: operators },
    },
    audit_sealing: {
      written: 'entries are sealed by seal.ts',
    },
    audit_seals: {
      written: 'entries are sealed by seal.ts',
      times: { sealed_at: appended },
    },
    audit_words: {
      written: 'words of entries are written by service.ts',
      sealed: [sealedWords],
    },
  }),
  readsBelow: [
    {
      file: 'access-queries.ts',
      tables: [
        'emails',
        'customers',
        'kits',
        'orders',
        'reports',
        'critical_results',
        'unassessed_results',
        'upload_reviews',
      ],
      why: "the realm of what the operator reads is found by the object's ID, for the access audit",
    },
  ],
})
