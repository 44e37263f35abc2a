import { appended, defineModule, defineTables, happened, moves, purged, stays } from '../define-module.ts'
import { tellCritical } from './critical/jobs.ts'
import { passTime } from './critical/pass-time-queries.ts'
import { TELL_CRITICAL_JOB } from './critical/raise.ts'
import * as critical from './critical/routes.ts'
import { sealedContacts, sealedCriticals } from './critical/sealed-queries.ts'
import { sealedReportNotes } from './note-queries.ts'
import * as reportsOperator from './operator-routes.ts'
import * as laboratoriesOperator from './origin/operator-routes.ts'
import { sealedComments } from './review/comment-queries.ts'
import { sealedHolds } from './review/hold-queries.ts'
import * as reviewOperator from './review/operator-routes.ts'
import * as routes from './routes.ts'
import { sealedVersions } from './sealed-queries.ts'
import * as unassessed from './unassessed/routes.ts'
import { sealedUnassessed } from './unassessed/sealed-queries.ts'
import { removeAllReports } from './versions/remove.ts'

export const reports = defineModule({
  name: 'reports',
  routes: [routes, unassessed, critical, reportsOperator, reviewOperator, laboratoriesOperator],
  jobs: [tellCritical],
  tables: defineTables({
    report_results: {
      written: 'results are written with their version by versions/write.ts',
    },
    report_versions: {
      written: 'versions of a report are written by versions/write.ts',
      sealed: [sealedVersions],
      times: { created_at: appended },
    },
    reports: {
      written: 'reports are written by versions/write.ts and published by versions/publish.ts',
      sealed: [sealedReportNotes],
      times: {
        created_at: stays('a report keeps its dates'),
        published_at: stays('a report keeps its dates'),
        updated_at: stays('whoever asks what changed since a time must find it'),
      },
    },
    critical_results: {
      written: 'critical results are raised by critical/raise.ts',
      sealed: [sealedCriticals],
      times: {
        acknowledged_at: happened,
        deadline_at: moves('the first contact should have acknowledged it by then'),
        due_at: moves('the next contact is told then'),
        raised_at: moves('minutes until the acknowledgement are counted from it'),
        withdrawn_at: happened,
      },
    },
    report_comments: {
      written: 'comments of reviewers are written by review/service.ts',
      sealed: [sealedComments],
      times: { at: appended },
    },
    report_holds: {
      written: 'reports are held and released by review/service.ts',
      sealed: [sealedHolds],
      times: {
        held_at: stays('only reports of live are held'),
        released_at: stays('only reports of live are held'),
        until_at: stays('only reports of live are held'),
      },
    },
    laboratories: {
      written: 'profiles of laboratories are written by origin/service.ts',
    },
    on_call_contacts: {
      written: 'the on-call list is written by critical/on-call.ts',
      sealed: [sealedContacts],
    },
    unassessed_results: {
      written: 'results that were not judged are kept by unassessed/service.ts',
      sealed: [sealedUnassessed],
      times: { closed_at: happened, received_at: purged },
    },
  }),
  readsBelow: [
    {
      file: 'unassessed/list-queries.ts',
      tables: ['documents'],
      why: 'an unassessed result links to the file that it came from',
    },
    {
      file: 'unassessed/list-queries.ts',
      tables: ['received_documents'],
      why: 'an unassessed result says how its document was read',
    },
  ],
  sandbox: {
    reset: async (tx) => ({ reports: await removeAllReports(tx) }),
    async passTime(tx, ms) {
      const due = await passTime(tx, ms)
      await tx.enqueue(TELL_CRITICAL_JOB, {})
      return due
    },
  },
})
