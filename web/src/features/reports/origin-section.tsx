import type { components } from '@kitlane/client'
import { type OriginWords, originFacts, wordsOfLaboratory } from '@kitlane/display/origin'
import { Table, Text } from '@mantine/core'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

interface OriginSectionProps {
  collectedSaid: string | undefined
  origin: components['schemas']['ReportOrigin'] | undefined
  entries: readonly { id: string; label: string; said?: { method?: string; laboratory?: string; comment?: string } }[]
}

const words: OriginWords = {
  laboratory: t('Laboratory'),
  notStated: t('Not stated'),
  addressNotStated: t('address not stated'),
  director: (name) => t('director {name}', { name }),
  specimen: t('Specimen'),
  specimenNumber: (id) => t('number {id}', { id }),
  condition: t('Condition'),
  collected: t('Collected'),
  collectedSaid: t('Collected, as the person tested said'),
  received: t('Received by the laboratory'),
  patientID: t("Laboratory's patient ID"),
  reported: t('Reported by the laboratory'),
  note: t("The laboratory's note"),
  zoneNotStated: t('(zone not stated)'),
  date: dayOf,
  moment: (date, time, zone) => `${date}, ${time} ${zone}`,
}

/** Where the results come from: what the law asks of a laboratory's report. */
export function OriginSection({ origin, entries, collectedSaid }: OriginSectionProps) {
  const facts = originFacts({ ...(origin ?? { laboratories: [], specimens: [], notes: [] }), collectedSaid }, words)
  const stated = entries.filter((entry) => wordsOfLaboratory(entry) !== '')
  return (
    <Section title={t('Laboratory and specimen')}>
      <Table variant="vertical" layout="auto" withRowBorders={false}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={`${name} ${value}`}>
              <Table.Th w={240}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {stated.map((entry) => (
        <Text key={entry.id} size="sm">
          <b>{entry.label}</b>: {wordsOfLaboratory(entry)}
        </Text>
      ))}
    </Section>
  )
}
