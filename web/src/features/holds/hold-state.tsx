import type { components } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { dayOf, exactOf } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type Hold = components['schemas']['HeldSample']

const states: Record<Hold['state'], StatusLabel> = {
  open: { label: t('On hold'), tone: 'bad' },
  released: { label: t('Goes on'), tone: 'good' },
  discarded: { label: t('Discarded'), tone: 'idle' },
}
export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))

const causes: Record<Hold['causes'][number], string> = {
  notRegistered: t('Nobody has registered the kit'),
  consentMissing: t('The consent is missing'),
  nameDiffers: t('The name differs'),
  collectionDateMissing: t('The day of collection is missing'),
  labelUnreadable: t('The label cannot be read'),
}

/** As the laboratory sees them. */
const waiters: Record<Hold['requiredActions'][number]['by'][number], string> = {
  person: t('the person'),
  business: t('the business'),
  operator: t('the laboratory'),
}

const clocks: Record<Hold['clock']['restsOn'], (days: number) => string> = {
  collection: (days) => t('{days, plural, one {# day} other {# days}} after it was taken', { days }),
  receipt: (days) => t('{days, plural, one {# day} other {# days}} after it was received', { days }),
  extension: () => t('as the laboratory has decided'),
}

/** What is still missing and until when the sample is kept, or how it ended. `isBrief`: what is missing is said beside it. */
export function HoldState({ hold, isBrief = false }: { hold: Hold; isBrief?: boolean }) {
  const { label, tone } = states[hold.state]
  const open = hold.requiredActions.map(({ cause }) => cause)
  const missing = { open, released: [], discarded: hold.causes }[hold.state]
  return (
    <Stack gap={2}>
      <StatusDot tone={tone}>{label}</StatusDot>
      {(isBrief ? [] : missing).map((cause) => (
        <Text key={cause} c={hold.state === 'open' ? undefined : 'dimmed'}>
          {causes[cause]}
          {hold.requiredActions
            .filter((one) => one.cause === cause)
            .map(({ code, by }) => (
              <Text key={code} span display="block" size="xs" c="dimmed">
                {t('Can be done by {who}', { who: by.map((one) => waiters[one]).join(', ') })}
              </Text>
            ))}
        </Text>
      ))}
      {hold.endedBy === 'erased' && <Text>{t('Its person was erased: destroy the sample.')}</Text>}
      {hold.collectedDate && <Text size="xs">{t('Taken on {day}', { day: dayOf(hold.collectedDate) })}</Text>}
      {hold.state === 'open' && <HoldClock hold={hold} />}
    </Stack>
  )
}

/** Until when the sample is kept, and what that rests on. */
const HoldClock = ({ hold: { discardAt, clock } }: { hold: Hold }) => (
  <Text size="sm">
    {t('Can be tested until {time}', { time: exactOf(discardAt) })}
    <Text span size="xs" c="dimmed">
      {' · '}
      {clocks[clock.restsOn](clock.stabilityDays)}
    </Text>
  </Text>
)
