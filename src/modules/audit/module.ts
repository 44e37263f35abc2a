import { appended, defineModule, defineTables, operators, type PeopleData } from '../define-module.ts'
import { indexAuditLists, keepAuditPartitions, sealAudit } from './jobs.ts'
import * as auditOperator from './operator-routes.ts'
import * as routes from './routes.ts'
import { sealedWords } from './words-queries.ts'

const aboutAuditEntries: PeopleData = {
  in: 'staff',
  what: 'who did what to which object, from which IP address',
  sealed: 'IDs and addresses in clear, no names and no results; lists as 4-byte hashes',
  kept: 'no term, or [archived](operations.md#archives) by the month after six years',
  readBy: '`account:admin`; *op* `audit`',
}

export const audit = defineModule({
  name: 'audit',
  tags: {
    'Operator: audit': 'Who did and read what, over all businesses; alarms.',
  },
  routes: [routes, auditOperator],
  jobs: [sealAudit, keepAuditPartitions, indexAuditLists],
  tables: defineTables({
    audit_entries: {
      written: 'entries are recorded by service.ts',
      staysInReset: 'the audit says what was done in the sandbox, also what a reset removed',
      people: aboutAuditEntries,
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
      written: 'the names that lists showed are written by reader.ts',
      people: aboutAuditEntries,
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
      staysInReset: 'as audit_entries',
      people: {
        in: 'staff',
        what: 'what people typed that an entry refers to',
        sealed: 'yes',
        kept: 'no term; unreadable once the keys of the realm are destroyed; archives have them beside their entries',
        readBy: '`account:admin`; *op* `audit`',
      },
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
