import { Group, Paper, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

/** Consents that were taken back while the sample was under way or in the laboratory, until it knows. */
export function WithdrawnPage() {
  const withdrawals = useRead('/operator/v1/lab/consent-withdrawals')
  const confirm = useWrite('post', '/operator/v1/lab/consent-withdrawals/{withdrawalID}/confirmation')
  return (
    <>
      <PageHeader
        title={t('Withdrawn consents')}
        sentence={t(
          'People who took back their consent after they posted a sample. Tell the laboratory, then confirm it.',
        )}
      />
      {withdrawals.error && <ErrorAlert error={withdrawals.error} retry={() => void withdrawals.refetch()} />}
      {withdrawals.data?.length === 0 && (
        <EmptyState
          title={t('Nothing to tell')}
          text={t('The laboratory knows of every consent that was taken back.')}
        />
      )}
      <Stack>
        {withdrawals.data?.map(({ id, kitID, accession, business, withdrawnAt, outcome }) => (
          <Paper key={id} withBorder p="md" component="article" aria-label={t('Kit {kitID}', { kitID })}>
            <Group justify="space-between" align="flex-start">
              <div>
                <PageLink to={`/operator/kits/${kitID}`} fw={600} ff="monospace">
                  {kitID}
                </PageLink>
                <Text size="sm" c="dimmed">
                  {business.name}
                  {accession && ` · ${accession}`} · <RelativeDate value={withdrawnAt} />
                </Text>
                <Text mt="xs">{todo[outcome]}</Text>
              </div>
              <ConfirmButton
                label={t('The laboratory knows')}
                sentence={t('This is recorded with your name, and the kit leaves this list.')}
                action={() => confirm.mutateAsync({ params: { path: { withdrawalID: id } } })}
                done={t('Recorded')}
              />
            </Group>
          </Paper>
        ))}
      </Stack>
    </>
  )
}

/** What the laboratory does with the sample. */
const todo = {
  received: t('Begin no further test of this sample. Keep what was done as the law asks, and then destroy the sample.'),
  underWay: t('Do not test this sample when it arrives: reject it, and destroy it.'),
} as const
