import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { KitDetail } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Facts } from '../../components/facts.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { relationWord } from './relations.ts'

type Entry = KitDetail['consents'][number]

/** What taking a consent back did, in words. */
export const outcomes: Record<NonNullable<Entry['outcome']>, string> = {
  researchEnded: t('Results are not shared for research any more.'),
  notRegistered: t('The kit needs a new consent before it is registered.'),
  stopped: t('The test stopped.'),
  underWay: t('The sample is not tested when it arrives.'),
  received: t('The sample had arrived: the laboratory is notified, and the result is kept.'),
}

/** Who agreed to what, and what was taken back. */
export function KitConsents({ detail }: { detail: KitDetail }) {
  const { write } = usePermissions()
  const { consents, registration, kit } = detail
  const isStopped = consents.findLast(({ type, what }) => type === 'agreed' || what === 'testing')?.type === 'withdrawn'
  const canWithdraw = write && !isStopped && (consents.length > 0 || registration !== undefined)
  return (
    <Facts title={t('Consent')}>
      {consents.length === 0 && <Text c="dimmed">{t('None was recorded.')}</Text>}
      {consents.map((entry) => (
        <div key={`${entry.type} ${entry.at}`}>
          <Text size="xs" c="dimmed">
            {entry.type === 'agreed' ? t('Agreed') : t('Taken back')} <RelativeDate value={entry.at} />
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {entry.type === 'agreed' ? agreedText(entry) : entry.outcome && outcomes[entry.outcome]}
          </Text>
        </div>
      ))}
      {canWithdraw && <Withdraw kitID={kit.kitID} />}
    </Facts>
  )
}

/** Who agreed to what, in a line. */
export function agreedText({ name, relation, consentVersion, language, research }: Entry): string {
  const who = [name, relation && `(${relationWord[relation]})`].filter(Boolean).join(' ')
  const words = [consentVersion, language].filter(Boolean).join(', ')
  return [who, words, research ? t('also to research') : t('not to research')].filter(Boolean).join(' · ')
}

function Withdraw({ kitID }: { kitID: string }) {
  const [what, setWhat] = useState<'testing' | 'research'>('research')
  const withdraw = useWrite('post', '/api/v1/kits/{kitID}/consent/withdrawal')
  return (
    <ConfirmButton
      label={t('Take back the consent')}
      size="xs"
      sentence={t('For a person who told you so. It cannot be undone: the person would have to agree again.')}
      action={() => withdraw.mutateAsync({ params: { path: { kitID } }, body: { what } })}
      done={t('The consent was taken back')}
    >
      <Radio.Group
        label={t('What they take back')}
        value={what}
        onChange={(value) => setWhat(value === 'testing' ? 'testing' : 'research')}
      >
        <Stack gap={6} mt={6}>
          <Radio
            value="research"
            label={t('The sharing for research')}
            description={t('It ends at once, for all of their results. The test goes on.')}
          />
          <Radio
            value="testing"
            label={t('The whole consent')}
            description={t('The test stops, unless the sample has arrived. The sharing ends too.')}
          />
        </Stack>
      </Radio.Group>
    </ConfirmButton>
  )
}
