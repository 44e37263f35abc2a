import { Alert, Button, Group, Kbd, Text } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useWrite } from '../../../api/hooks.ts'
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
  /** Of a report with critical results. */
  callLog: ReactNode
  note: ReactNode
  comment: Ref<HTMLTextAreaElement>
}

/** Publish, hold, ask for another sample; the call log, the note to the person, comments. */
export function DecideColumn(props: DecideColumnProps) {
  const { report, publishing, missing, publish, isHolding, setHolding, askForRedraw, callLog, note, comment } = props
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
