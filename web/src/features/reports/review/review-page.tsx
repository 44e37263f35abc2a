import { Button, Kbd, Skeleton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { t } from '../../../language/t.ts'
import { criticalNames, idsOf } from '../harm.ts'
import { isFree, nameOfBusiness, REVIEWS } from '../review-list.ts'
import { useNote } from '../use-note.tsx'
import { type CallDraft, CallLog } from './call-log.tsx'
import { DecideColumn, NoteSection } from './decide-column.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { RedrawDialog } from './redraw-dialog.tsx'
import css from './review.module.css'
import { usePublish } from './use-publish.ts'
import { WhatColumn } from './what-column.tsx'
import { personTitle, WhoColumn } from './who-column.tsx'

export function ReviewPage() {
  const { reportID = '' } = useParams({ strict: false })
  // What was typed about one report is not for the next.
  return <Review key={reportID} reportID={reportID} />
}

/** One report: who, what, decide. */
function Review({ reportID }: { reportID: string }) {
  const navigate = useNavigate()
  const params = { path: { reportID } }
  const report = useRead('/operator/v1/reports/{reportID}', { params })
  const person = useRead('/operator/v1/reports/{reportID}/person', { params })
  const reviews = useRead('/operator/v1/reports', REVIEWS)
  const release = useWrite('post', '/operator/v1/reports/{reportID}/release')
  const publishing = usePublish(reportID)

  // Those that are held wait for somebody else, or another day.
  const waiting = (reviews.data ?? []).filter((review) => isFree(review) || review.reportID === reportID)
  const here = waiting.findIndex((review) => review.reportID === reportID)
  const review = reviews.data?.find((one) => one.reportID === reportID)
  const [lastNext, setLastNext] = useState<string>()
  // Once published it is in the list no more: the next one is the one that followed it.
  const next = here >= 0 ? waiting[here + 1]?.reportID : waiting.find((one) => one.reportID === lastNext)?.reportID
  if (here >= 0 && next !== lastNext) setLastNext(next)
  const go = (to: string | undefined) => void navigate({ to: to ? `/operator/review/${to}` : '/operator/review' })

  const critical = report.data
    ? criticalNames(report.data, ({ name, value }) => t('{name} {value}, not assessed', { name, value }))
    : []
  const [call, setCall] = useState<CallDraft>({ who: '', at: '' })
  const [open, setOpen] = useState(0)
  const { note, isIncomplete, fields } = useNote(reportID)
  const noteField = useRef<HTMLDivElement>(null)
  const commentField = useRef<HTMLTextAreaElement>(null)
  const callField = useRef<HTMLDivElement>(null)
  const [isHolding, setHolding] = useState(false)
  const [isUnfolded, setUnfolded] = useState(false)
  const [isRedrawOpen, redraw] = useDisclosure()
  const [areKeysShown, keys] = useDisclosure()

  const isDecidable = report.data?.status === 'inReview' && !report.data.hold && publishing.sendsAt === undefined
  const missing = report.data?.isRecalled
    ? t('It can be published once its kit is released from the recall.')
    : critical.length > 0 && open > 0
      ? t('{count, plural, one {# critical result waits} other {# critical results wait}} to be read back.', {
          count: open,
        })
      : critical.length > 0 && (call.who.trim() === '' || call.at === '')
        ? t('Say in the call log who was notified, and when.')
        : isIncomplete
          ? t('Write who you are to publish the note')
          : undefined
  const publish = () => {
    if (!report.data || !isDecidable || publishing.isSending) return
    if (missing !== undefined) {
      callField.current?.querySelector('input')?.focus()
      return
    }
    const { version, unassessed } = report.data
    const notification = critical.length > 0 && {
      notified: { person: call.who.trim(), at: new Date(call.at).toISOString() },
    }
    publishing.decide({ version, seen: idsOf(unassessed), ...notification, ...(note && { note }) })
  }
  const canRedraw = isDecidable && person.data?.kit?.isRejectable === true
  // A held key repeats, but the person decided about one report only.
  const once = (act: () => void) => (event: KeyboardEvent) => !event.repeat && !areKeysShown && !isRedrawOpen && act()
  useHotkeys([
    ['mod+Enter', once(publish)],
    ['p', once(publish)],
    ['u', once(publishing.undo)],
    ['j', once(() => (next || here < 0 ? go(next) : publishing.publishNow()))],
    ['k', once(() => here > 0 && go(waiting[here - 1]?.reportID))],
    ['h', once(() => isDecidable && setHolding(true))],
    ['l', once(() => report.data?.hold && release.mutate({ params }))],
    ['c', once(() => commentField.current?.focus())],
    ['n', once(() => noteField.current?.querySelector('textarea')?.focus())],
    ['r', once(() => canRedraw && redraw.open())],
    ['a', once(() => callField.current?.querySelector('input')?.focus())],
    ['f', once(() => setUnfolded(!isUnfolded))],
    ['shift+?', once(keys.open)],
    ['?', once(keys.open)],
  ])

  const business = review && nameOfBusiness(review)
  const title = person.data ? personTitle(person.data) : t('Results to review')
  return (
    <>
      <PageHeader
        title={business ? `${title} · ${business}` : title}
        id={reportID}
        crumbs={[['review', t('Review')]]}
        sentence={here >= 0 && t('{place} of {count}', { place: here + 1, count: waiting.length })}
        actions={
          <>
            <Button
              variant="subtle"
              onClick={keys.open}
              rightSection={
                <Kbd size="xs" visibleFrom="sm">
                  ?
                </Kbd>
              }
            >
              {t('Keys')}
            </Button>
            <Button
              variant="default"
              disabled={!next}
              onClick={() => go(next)}
              rightSection={
                <Kbd size="xs" visibleFrom="sm">
                  J
                </Kbd>
              }
            >
              {t('Next')}
            </Button>
          </>
        }
      />
      {report.error && <ErrorAlert error={report.error} retry={() => void report.refetch()} />}
      {person.error && <ErrorAlert error={person.error} retry={() => void person.refetch()} />}
      <div className={css.page} data-wide>
        <div className={css.columns}>
          {person.data ? <WhoColumn person={person.data} /> : <Skeleton height={240} />}
          {report.data ? (
            <WhatColumn report={report.data} isUnfolded={isUnfolded} onFold={setUnfolded} />
          ) : (
            <Skeleton height={480} />
          )}
          {report.data && (
            <DecideColumn
              report={report.data}
              publishing={publishing}
              missing={missing}
              publish={publish}
              isHolding={isHolding}
              setHolding={setHolding}
              askForRedraw={canRedraw ? redraw.open : undefined}
              isOfNoKit={person.data !== undefined && !person.data.kit}
              callLog={
                critical.length > 0 && (
                  <div ref={callField}>
                    <CallLog reportID={reportID} draft={call} onDraft={setCall} onOpen={setOpen} />
                  </div>
                )
              }
              note={
                <div ref={noteField}>
                  <NoteSection>{fields}</NoteSection>
                </div>
              }
              comment={commentField}
            />
          )}
        </div>
      </div>
      <RedrawDialog reportID={reportID} opened={isRedrawOpen} onClose={redraw.close} onDone={() => go(next)} />
      <KeysDialog opened={areKeysShown} onClose={keys.close} />
    </>
  )
}
