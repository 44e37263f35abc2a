import { Alert, Button, Group, Kbd, Text, TextInput } from '@mantine/core'
import { type ReactNode, type Ref, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { t } from '../../../language/t.ts'
import type { Reviewed } from '../harm.ts'
import { reportLabel } from '../labels.ts'
import { Comments } from './comments.tsx'
import { Held, HoldForm } from './hold-form.tsx'
import css from './review.module.css'
import { UndoBar } from './undo-bar.tsx'
import type { usePublish } from './use-publish.ts'

interface DecideColumnProps {
  report: Reviewed
  publishing: ReturnType<typeof usePublish>
  /** Why it cannot be published yet, in words; undefined: it can. */
  missing: string | undefined
  publish: () => void
  isHolding: boolean
  setHolding: (isHolding: boolean) => void
  askForRedraw: (() => void) | undefined
  /** Such as a report of a file. */
  isOfNoKit: boolean
  /** Of a report with critical results. */
  callLog: ReactNode
  note: ReactNode
  comment: Ref<HTMLTextAreaElement>
}

/** Publish, hold, ask for another sample; the call log, the note to the person, comments. */
export function DecideColumn(props: DecideColumnProps) {
  const { report, publishing, missing, publish, isHolding, setHolding, askForRedraw, isOfNoKit } = props
  const { callLog, note, comment } = props
  const { reportID, hold, status } = report
  const release = useWrite('post', '/operator/v1/reports/{reportID}/release')
  const isOpen = status === 'inReview'
  return (
    <section className={css.decide} aria-label={t('Decide')}>
      {callLog}
      {isOpen && note}
      <Comments reportID={reportID} comments={report.comments} field={comment} />
      <div className={css.act}>
        {publishing.problem && <ErrorAlert error={publishing.problem} />}
        {!isOpen && <Closed status={publishing.isPublished ? 'published' : status} />}
        {isOpen && hold && (
          <Held
            hold={hold}
            release={() => release.mutate({ params: { path: { reportID } } })}
            isBusy={release.isPending}
            error={release.error}
          />
        )}
        {isOpen && !hold && publishing.sendsAt !== undefined && (
          <UndoBar sendsAt={publishing.sendsAt} undo={publishing.undo} publishNow={publishing.publishNow} />
        )}
        {isOpen && !hold && publishing.sendsAt === undefined && isHolding && (
          <HoldForm reportID={reportID} onDone={() => setHolding(false)} />
        )}
        {isOpen && !hold && publishing.sendsAt === undefined && !isHolding && (
          <>
            <Group gap="xs">
              <Button
                onClick={publish}
                disabled={missing !== undefined}
                loading={publishing.isSending}
                rightSection={
                  <Kbd size="xs" visibleFrom="sm">
                    P
                  </Kbd>
                }
              >
                {t('Publish')}
              </Button>
              <Button
                variant="default"
                onClick={() => setHolding(true)}
                rightSection={
                  <Kbd size="xs" visibleFrom="sm">
                    H
                  </Kbd>
                }
              >
                {t('Hold')}
              </Button>
              {isOfNoKit && <RejectReport reportID={reportID} />}
              {askForRedraw && (
                <Button
                  variant="default"
                  onClick={askForRedraw}
                  rightSection={
                    <Kbd size="xs" visibleFrom="sm">
                      R
                    </Kbd>
                  }
                >
                  {t('Another sample')}
                </Button>
              )}
            </Group>
            {missing && (
              <Text size="sm" c="dimmed" mt="xs">
                {missing}
              </Text>
            )}
          </>
        )}
      </div>
    </section>
  )
}

/** Rejects a report that no kit has, such as that of a file. */
function RejectReport({ reportID }: { reportID: string }) {
  const [reason, setReason] = useState('')
  const reject = useWrite('post', '/operator/v1/reports/{reportID}/reject')
  return (
    <ConfirmButton
      label={t('Reject')}
      isDangerous
      isIncomplete={reason.trim() === ''}
      sentence={t('Nobody can read this report then. This cannot be undone.')}
      action={() => reject.mutateAsync({ params: { path: { reportID } }, body: { reason: reason.trim() } })}
      done={t('The report is rejected')}
    >
      <TextInput
        label={t('Reason')}
        description={t('For the audit')}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}

function Closed({ status }: { status: string }) {
  return (
    <Alert variant="light" role="status">
      {t('This report: {status}', { status: reportLabel(status).label })}
    </Alert>
  )
}

/** What the publisher may add for the person. */
export function NoteSection({ children }: { children: ReactNode }) {
  return <Section title={t('With the report')}>{children}</Section>
}
