import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import {
  appended,
  defineModule,
  defineTables,
  happened,
  moves,
  type PeopleData,
  purged,
  stays,
} from '../define-module.ts'
import { advanceClock } from './critical/advance-clock-queries.ts'
import { notifyOnCall } from './critical/jobs.ts'
import { TELL_CRITICAL_JOB } from './critical/raise.ts'
import * as critical from './critical/routes.ts'
import { sealedContacts, sealedCriticals } from './critical/sealed-queries.ts'
import { sealedReportNotes } from './note-queries.ts'
import * as reportsOperator from './operator-routes.ts'
import * as laboratoriesOperator from './origin/operator-routes.ts'
import * as remarksOperator from './remarks/operator-routes.ts'
import { sealedRemarks } from './remarks/sealed-queries.ts'
import { sealedComments } from './review/comment-queries.ts'
import { sealedHolds } from './review/hold-queries.ts'
import * as reviewOperator from './review/operator-routes.ts'
import * as routes from './routes.ts'
import { ReportStatus } from './schema.ts'
import { sealedVersions } from './sealed-queries.ts'
import * as unassessed from './unassessed/routes.ts'
import { sealedUnassessed } from './unassessed/sealed-queries.ts'
import { rejudgeSamples } from './versions/rejudge.ts'
import { removeAllReports } from './versions/remove.ts'

const aboutReportHolds: PeopleData = {
  in: 'results',
  what: 'why a reviewer holds a report back; what reviewers say to each other',
  sealed: 'yes',
  clear: 'report, times, who',
  kept: 'no term',
  readBy: '*op* `review`',
  erasure: 'deleted with the report',
}

const namesOfBiomarkers = (what: string) =>
  z.array(z.string()).optional().describe(`Biomarkers ${what}, by their catalogue IDs.`)

export const reports = defineModule({
  name: 'reports',
  tags: {
    'Critical results': 'Results with which somebody may need help at once: who is notified, and who has acknowledged.',
    Reports: 'Judged results of one sample: reading, documents, publishing.',
    'Results that wait': 'Results of a known person that could not be judged, until a person closes them.',
    'Operator: laboratories': 'Laboratories, and what their documents look like.',
    'Operator: review': 'Reports in review, results that wait and critical results, over all businesses.',
  },
  routes: [routes, unassessed, critical, reportsOperator, reviewOperator, laboratoriesOperator, remarksOperator],
  jobs: [notifyOnCall],
  async afterKitFacts(tx, kitIds, fact) {
    if (fact === 'collection') await rejudgeSamples(tx, kitIds)
  },
  events: {
    'report.published': {
      summary: 'A report can be read',
      description: 'A report, or a new version of it, was published.',
      data: z.object({
        reportID: z.string(),
        kitID: z.string().optional(),
        customerID: z.int(),
        publishedDate: timestamp,
        version: z.int(),
        corrected: namesOfBiomarkers('with another value, unit or verdict than in the version before'),
        completed: namesOfBiomarkers('that were preliminary in the version before, and are final now'),
        added: namesOfBiomarkers('that the version before did not have'),
        withdrawn: namesOfBiomarkers('that the laboratory took back'),
      }),
    },
    'result.withdrawn': {
      summary: 'A result was taken back',
      description:
        'A result of a report is wrong; or the report cannot be read for now, and what it said counts no more: then `status` is `inReview`.',
      data: z.object({
        reportID: z.string(),
        kitID: z.string().optional(),
        customerID: z.int(),
        version: z.int(),
        status: ReportStatus,
        withdrawnDate: timestamp,
        results: z.array(z.object({ biomarker: z.string(), reason: z.string() })).describe('What was taken back.'),
      }),
    },
    'result.critical': {
      summary: 'A result is critical',
      description: 'Somebody may need help at once. The value is not sent: read it in the service.',
      data: z.object({
        criticalID: z.string(),
        customerID: z.int(),
        kitID: z.string().optional(),
        reportID: z.string().optional(),
        raisedDate: timestamp,
        deadlineDate: timestamp.describe('Until when somebody has to acknowledge it, before the next one is notified.'),
      }),
    },
  },
  tables: defineTables({
    report_results: {
      written: 'results are written with their version by versions/write.ts',
      people: {
        in: 'results',
        what: 'results of versions before sealing',
        sealed: 'no: the job that seals empties it',
        kept: 'until the job ran',
        readBy: 'nobody else',
        erasure: 'deleted',
      },
    },
    report_versions: {
      written: 'versions of a report are written by versions/write.ts',
      people: {
        in: 'results',
        what: 'all results, axes, suggestions, reasons; a summary',
        sealed: 'yes, two values',
        clear: 'dates, version of the scores',
        kept: 'no term',
        readBy: 'as `reports`; the person by their link',
        erasure: 'deleted',
      },
      sealed: [sealedVersions],
      times: { created_at: appended },
    },
    reports: {
      written: 'reports are written by versions/write.ts and published by versions/publish.ts',
      people: {
        in: 'results',
        what: "that there is a report; a clinician's note",
        sealed: 'the note',
        clear: 'state, dates, version, whether it is critical',
        kept: 'no term',
        readBy: '`reports:read` if published, else `reports:review`; *op* `review`',
        erasure: 'deleted',
      },
      sealed: [sealedReportNotes],
      times: {
        created_at: stays('a report keeps its dates'),
        published_at: stays('a report keeps its dates'),
        updated_at: stays('callers that ask what changed since a time must find it'),
      },
    },
    critical_results: {
      written: 'critical results are raised by critical/raise.ts',
      people: {
        in: 'results',
        what: 'critical results, who was notified and who acknowledged',
        sealed: 'yes',
        clear: 'times, the kit, the report, who entered it',
        kept: 'no term',
        readBy: '`reports:review`; *op* `review`',
        erasure: 'deleted',
      },
      sealed: [sealedCriticals],
      times: {
        acknowledged_at: happened,
        deadline_at: moves('the first contact should have acknowledged it by then'),
        due_at: moves('the next contact is notified then'),
        raised_at: moves('minutes until the acknowledgement are counted from it'),
        withdrawn_at: happened,
      },
    },
    report_comments: {
      written: 'comments of reviewers are written by review/service.ts',
      people: aboutReportHolds,
      sealed: [sealedComments],
      times: { at: appended },
    },
    report_holds: {
      written: 'reports are held and released by review/service.ts',
      people: aboutReportHolds,
      sealed: [sealedHolds],
      times: {
        held_at: stays('only reports of live are held'),
        released_at: stays('only reports of live are held'),
        until_at: stays('only reports of live are held'),
      },
    },
    laboratories: {
      written: 'profiles of laboratories are written by origin/service.ts',
      people: {
        in: 'results',
        what: "profiles of laboratories; the director's name",
        sealed: 'no',
        clear: 'all',
        kept: 'until it is removed',
        readBy: '*op* `lab`',
        erasure: 'not about the person',
      },
    },
    on_call_contacts: {
      written: 'the on-call list is written by critical/on-call.ts',
      staysInReset: 'a setting: whom to call',
      people: {
        in: 'results',
        what: 'names and addresses of the on-call list',
        sealed: 'yes',
        clear: 'order, minutes',
        kept: 'until it is replaced',
        readBy: '`settings:read`',
        erasure: 'not about the person',
      },
      sealed: [sealedContacts],
    },
    passed_remarks: {
      written: 'remarks that reviewers let pass are remembered by remarks/service.ts',
      people: {
        in: 'results',
        what: "sentences of laboratories beside a person's results, without names and numbers",
        sealed: 'yes; hash of laboratory, biomarker and sentence',
        clear: 'who let it pass, and when',
        kept: 'until it is removed',
        readBy: '*op* `lab`',
        erasure: 'deleted',
      },
      sealed: [sealedRemarks],
      times: { passed_at: happened },
    },
    unassessed_results: {
      written: 'results that were not judged are kept by unassessed/service.ts',
      people: {
        in: 'results',
        what: 'results that could not be judged, with notes',
        sealed: 'yes; hash of what makes it unique',
        clear: 'code of the reason, whether it is critical',
        kept: 'no term',
        readBy: '`reports:review`; *op* `review`',
        erasure: 'deleted',
      },
      sealed: [sealedUnassessed],
      times: { closed_at: happened, received_at: purged },
    },
  }),
  readsBelow: [
    {
      file: 'origin/queries.ts',
      tables: ['lab_orders', 'lab_order_messages'],
      why: 'a laboratory that has orders is not removed',
    },
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
    async advanceClock(tx, ms) {
      const due = await advanceClock(tx, ms)
      await tx.enqueue(TELL_CRITICAL_JOB, {})
      return due
    },
  },
})
