import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { boundsText } from '../reports/result-table.tsx'
import { Approval } from './approval.tsx'
import type { Definition } from './definition.ts'
import { EditRanges } from './edit-ranges.tsx'
import { PersonText } from './person-text.tsx'
import { SignRanges } from './sign-ranges.tsx'

export function BiomarkerPage() {
  const { biomarkerID = '' } = useParams({ strict: false })
  const versions = useRead('/operator/v1/biomarkers/{biomarkerID}/versions', { params: { path: { biomarkerID } } })
  const [current] = versions.data ?? []
  return (
    <>
      <PageHeader
        title={current?.definition.label ?? biomarkerID}
        crumbs={[['catalogue', 'Catalogue']]}
        actions={
          current && (
            <>
              {!current.signature && <SignRanges biomarkerID={biomarkerID} />}
              <EditRanges key={current.version} definition={current.definition} />
            </>
          )
        }
      />
      {current && !current.signature && <Approval />}
      {versions.error && <ErrorAlert error={versions.error} retry={() => void versions.refetch()} />}
      {current && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Ranges definition={current.definition} />
          <Stack gap="lg">
            <PersonText biomarkerID={biomarkerID} />
            <Identity definition={current.definition} />
            <Section title="Versions">
              {versions.data?.map(({ version, reason, createdDate, signature }) => (
                <Group key={version} justify="space-between">
                  <Text>
                    {version}. {reason} –{' '}
                    {signature
                      ? `signed by ${signature.director}, ${signature.laboratory}`
                      : 'not signed by a laboratory'}
                  </Text>
                  <RelativeDate value={createdDate} />
                </Group>
              ))}
            </Section>
          </Stack>
        </SimpleGrid>
      )}
    </>
  )
}

function Ranges({ definition }: { definition: Definition }) {
  const { reference, optimal, ageBands, phases, displayUnit, checked, note } = definition
  const bands = [
    ...(ageBands?.F ?? []).map((band) => ({ ...band, sex: 'Women' })),
    ...(ageBands?.M ?? []).map((band) => ({ ...band, sex: 'Men' })),
  ]
  const rows: [string, string, string | undefined][] = [
    ['Reference, women', boundsText(reference?.F), reference?.source],
    ['Reference, men', boundsText(reference?.M), reference?.source],
    ['Optimal, women', boundsText(optimal?.F), optimal?.source],
    ['Optimal, men', boundsText(optimal?.M), optimal?.source],
    ...bands.map(({ sex, minAge, maxAge, ...bounds }): [string, string, string | undefined] => [
      `${sex}, ${minAge} to ${maxAge} years`,
      boundsText(bounds),
      ageBands?.source,
    ]),
    ...(phases?.F ?? []).map(({ phase, ...bounds }): [string, string, string | undefined] => [
      `Women, ${phase}`,
      boundsText(bounds),
      phases?.source,
    ]),
  ]
  return (
    <Section title={displayUnit ? `Ranges in ${displayUnit}` : 'Ranges'}>
      <WideTable label="Ranges">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">For</Table.Th>
            <Table.Th scope="col">Range</Table.Th>
            <Table.Th scope="col">Source</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, bounds, source]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{bounds}</Table.Td>
              <Table.Td>{source ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <Text size="sm" c="dimmed">
        {checked.length > 0 ? `Compared with: ${checked.join(', ')}.` : 'Not compared with a source yet.'} {note}
      </Text>
    </Section>
  )
}

const kinds = {
  presence: 'positive or negative',
  grade: 'steps of a test strip',
  titre: 'a titer, such as 1:320',
  text: 'a text',
}

/** What results look like that are no plain numbers, and which of them are normal. */
function resultsOf(scale: NonNullable<Definition['scale']>): [string, string][] {
  if (scale.kind === 'titre') return [['Results', kinds.titre]]
  const expected = scale.expected.join(', ') || 'only the laboratory can say'
  return [
    ['Results', kinds[scale.kind]],
    ['Expected', scale.source ? `${expected} (${scale.source})` : expected],
    ['Any other result', scale.critical ? 'is critical: a person publishes the report' : 'is abnormal'],
  ]
}

function Identity({ definition }: { definition: Definition }) {
  const { id, loinc, unit, direction, plausible, aliases, derived, conversions, scale } = definition
  const isNumber = !scale || scale.kind === 'titre'
  const rows: [string, string][] = [
    ['ID', id],
    ['LOINC', loinc ?? '–'],
    ...(scale ? resultsOf(scale) : []),
    ...(isNumber
      ? ([
          ['Unit (UCUM)', unit],
          ['Better is', { lower: 'lower', higher: 'higher', range: 'in the middle' }[direction]],
          ['Plausible', `${plausible.min} to ${plausible.max}`],
        ] satisfies [string, string][])
      : []),
    ['Calculated', derived ? derived.expression : 'no, measured'],
    ['Other units', conversions.map((conversion) => conversion.unit).join(', ') || 'none'],
    ['Other names', aliases.join(', ')],
  ]
  return (
    <Section title="Definition">
      <WideTable label="Definition">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  )
}
