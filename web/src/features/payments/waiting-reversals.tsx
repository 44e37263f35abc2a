import type { Answer } from '@kitlane/client'
import { Box, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { moneyOf } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

type Waiting = Answer<'get', '/operator/v1/waiting-reversals'>['data'][number]

const SIZE = 50

/** Money that went back after its credits were spent: somebody of the operator decides what becomes of each. */
export function WaitingReversals() {
  const list = useRead('/operator/v1/waiting-reversals', { params: { query: { size: SIZE } } })
  if (!list.data || list.data.pagination.total === 0) return null
  const { data, pagination } = list.data
  return (
    <Box mb="lg">
      <Section title={t('Credits to settle')}>
        <Text c="dimmed">
          {t(
            'The money for these credits went back, and kits were ordered with them before. Agree with the business, for example on an invoice, and say so here.',
          )}
        </Text>
        <Stack gap="md">
          {data.map((one) => (
            <WaitingReversal key={`${one.business.id} ${one.id}`} waiting={one} />
          ))}
        </Stack>
        {pagination.total > data.length && (
          <Text c="dimmed">
            {t(
              '{count, plural, one {# more follows when these are settled.} other {# more follow when these are settled.}}',
              {
                count: pagination.total - data.length,
              },
            )}
          </Text>
        )}
      </Section>
    </Box>
  )
}

function WaitingReversal({ waiting }: { waiting: Waiting }) {
  const settle = useWrite('post', '/operator/v1/businesses/{businessID}/reversals/{reversalID}/settle')
  const [reason, setReason] = useState('')
  const { business, id, kind, amount, currency, creditsWaiting = 0, date } = waiting
  const values = { count: creditsWaiting, sum: moneyOf(amount, currency) }
  const sentence =
    kind === 'dispute'
      ? t('{count, plural, one {# credit} other {# credits}} spent, of a dispute over {sum}', values)
      : t('{count, plural, one {# credit} other {# credits}} spent, of a refund of {sum}', values)
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
        <PageLink to={`/operator/businesses/${business.id}`}>{business.name}</PageLink>
        <Text>{sentence}</Text>
        <Text size="sm" c="dimmed">
          {[dayOf(date), id].join(' · ')}
        </Text>
      </Stack>
      <ConfirmButton
        label={t('Settle')}
        sentence={t('This says that it is agreed, and moves no credits and no money. The business sees the reason.')}
        isIncomplete={reason.trim() === ''}
        action={() =>
          settle.mutateAsync({
            params: { path: { businessID: business.id, reversalID: id } },
            body: { reason: reason.trim() },
          })
        }
        done={t('The credits are settled')}
      >
        <TextInput
          label={t('Reason')}
          placeholder={t('Invoice number or agreement')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          required
        />
      </ConfirmButton>
    </Group>
  )
}
