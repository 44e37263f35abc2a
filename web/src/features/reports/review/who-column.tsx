import type { Answer } from '@kitlane/client'
import { conditionText } from '@kitlane/display/report-text'
import { Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IdCell } from '../../../components/id-text.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { dayOf, RelativeDate } from '../../../components/relative-date.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { say, t } from '../../../language/t.ts'
import { reportLabel } from '../labels.ts'
import css from './review.module.css'

export type ReviewedPerson = Answer<'get', '/operator/v1/reports/{reportID}/person'>

const relations = {
  parent: t('parent'),
  guardian: t('guardian'),
  caregiver: t('caregiver'),
  other: t('another person'),
}

/** "Ada Example · Woman, 56", or without the name for who may not see it. */
export function personTitle({ name, sex, age }: Pick<ReviewedPerson, 'name' | 'sex' | 'age'>): string {
  const known = sex === 'F' ? 'woman' : sex === 'M' ? 'man' : 'other'
  const who =
    age === undefined
      ? t('{sex, select, woman {Woman} man {Man} other {Person}}, age not known', { sex: known })
      : t('{sex, select, woman {Woman} man {Man} other {Person}}, {age}', { sex: known, age })
  return name ? `${name} · ${who}` : who
}

/** Whose report it is: the person, what was before, the kit, where it was tested. */
export function WhoColumn({ person }: { person: ReviewedPerson }) {
  const { guardian, customerID, age } = person
  // On a narrow screen the values come first.
  const isWide = useMediaQuery('(min-width: 82em)', true, { getInitialValueInEffect: false })
  const isMinor = age !== undefined && age < 18
  return (
    <Stack gap="xs" className={css.who} component="section" aria-label={t('Person')}>
      <div>
        <Text fw={600}>{personTitle(person)}</Text>
        <Text c="dimmed">{t('Customer {customerID}', { customerID })}</Text>
        {isMinor && <Text c="var(--k-bad)">{t('A minor: intervals of adults may not hold')}</Text>}
        {guardian && (
          <Text>
            {t('Decides: {who}', {
              who: [guardian.name, relations[guardian.relation]].filter(Boolean).join(', '),
            })}
          </Text>
        )}
        <Consent person={person} />
      </div>
      <Fold title={t('Kit and sample')} isOpen={isWide}>
        <Kit person={person} />
      </Fold>
      <Fold
        title={t('{count, plural, =0 {No earlier reports} one {# other report} other {# other reports}}', {
          count: person.reports.length,
        })}
        isOpen={isWide}
      >
        <OtherReports reports={person.reports} />
      </Fold>
      <Fold
        title={t('{count, plural, =0 {No messages} one {# message to them} other {# messages to them}}', {
          count: person.messages.length,
        })}
        isOpen={false}
      >
        <ul className={css.lines}>
          {person.messages.map(({ date, subject, status }, index) => (
            <li key={`${date} ${index}`}>
              {subject}
              <Text size="xs" c="dimmed" component="div">
                <RelativeDate value={date} />
                {status === 'failed' && ` · ${t('not delivered')}`}
              </Text>
            </li>
          ))}
        </ul>
      </Fold>
    </Stack>
  )
}

function Fold({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details className={css.fold} open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

function Consent({ person: { consent } }: { person: ReviewedPerson }) {
  const { state, date, research } = consent
  if (state === 'withdrawn')
    return (
      <StatusDot tone="bad">
        {date ? t('Took the consent back on {day}', { day: dayOf(date) }) : t('Took the consent back')}
      </StatusDot>
    )
  if (state === 'notRecorded') return <StatusDot tone="idle">{t('No consent is recorded here')}</StatusDot>
  return (
    <>
      <StatusDot tone="good">{date ? t('Agreed on {day}', { day: dayOf(date) }) : t('Agreed')}</StatusDot>
      {research && <Text c="dimmed">{t('Also to research')}</Text>}
    </>
  )
}

function Kit({ person: { kit, laboratories, specimens, notes, labErrors } }: { person: ReviewedPerson }) {
  const days = kit?.daysInTransit
  const facts: [string, ReactNode][] = [
    ...(kit ? ([[t('Kit'), <IdCell key="kit" id={kit.kitID} />]] satisfies [string, ReactNode][]) : []),
    [t('Panel'), kit?.panel],
    [t('Collected'), kit?.collectedDate && dayOf(kit.collectedDate)],
    [t('Received'), kit?.receivedDate && dayOf(kit.receivedDate)],
    [t('In transit'), days === undefined ? '' : t('{count, plural, one {# day} other {# days}}', { count: days })],
    [t('Laboratory'), laboratories.join(', ') || t('Not stated')],
    ...specimens.map(({ source, condition }): [string, string] => [
      t('Specimen'),
      [source, condition].filter(Boolean).join(', '),
    ]),
    ...notes.map((note): [string, string] => [t('Note'), note]),
  ]
  return (
    <>
      {labErrors.map((code) => (
        <StatusDot key={code} tone="fair">
          {say(conditionText(code))}
        </StatusDot>
      ))}
      <ul className={css.lines}>
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value], index) => (
            <li key={`${name} ${index}`}>
              <Text size="xs" c="dimmed" component="div">
                {name}
              </Text>
              {value}
            </li>
          ))}
      </ul>
    </>
  )
}

function OtherReports({ reports }: { reports: ReviewedPerson['reports'] }) {
  return (
    <ul className={css.lines}>
      {reports.map(({ reportID, status, panel, laboratory, date, note }) => {
        const { tone, label } = reportLabel(status)
        return (
          <li key={reportID}>
            <PageLink to={`/operator/review/${reportID}`}>{date ? dayOf(date) : reportID}</PageLink>{' '}
            <StatusDot tone={tone}>{label}</StatusDot>
            <Text size="xs" c="dimmed" component="div">
              {[panel, laboratory].filter(Boolean).join(' · ')}
            </Text>
            {note && <Text size="xs">{t('Note by {author}: {text}', { author: note.author, text: note.text })}</Text>}
          </li>
        )
      })}
    </ul>
  )
}
