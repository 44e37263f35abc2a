import { Button, Skeleton, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { OperatorPerson } from '../../api/operator-shapes.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { BriefEmails } from '../../components/brief-emails.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { reportHeadline } from '../../components/headlines.ts'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { agreedText, outcomes } from '../consent/kit-consents.tsx'
import { relationWord } from '../consent/relations.ts'
import { OperatorKits } from '../kits/operator-kits.tsx'
import { reportLabel } from '../reports/labels.ts'
import { CorrectPerson } from './correct-customer.tsx'
import { PersonAccesses } from './person-accesses.tsx'
import { sexLabels } from './sexes.ts'

/** A person of any business, for the operator's staff: as much as their role may see, and never results. */
export function OperatorPersonPage() {
  const { ofBusiness = '', customerID = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/businesses/{businessID}/customers/{id}', {
    params: { path: { businessID: ofBusiness, id: customerID } },
  })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  return <PersonView person={found.data} />
}

function PersonView({ person }: { person: OperatorPerson }) {
  const { isAdmin, isLaboratory } = useOperatorRoles()
  const { business, guardian } = person
  const correct = useWrite('patch', '/operator/v1/businesses/{businessID}/customers/{id}')
  const path = { businessID: business.id, id: String(person.id) }
  return (
    <>
      <PageHeader
        title={person.name}
        id={person.id}
        sentence={t('A person tested of {name}', { name: business.name })}
        actions={
          <>
            {isLaboratory && (
              <CorrectPerson
                key={JSON.stringify(person)}
                person={person}
                isReasonRequired
                save={(body, query) => correct.mutateAsync({ params: { path, query }, body })}
              />
            )}
            {isAdmin && (
              <Button component={Link} to={`/b/${business.id}/live/customers/${person.id}`} variant="default">
                {t("Open them in the business's dashboard")}
              </Button>
            )}
          </>
        }
      />
      <TwoColumns
        left={
          <>
            <Section title={t('Kits')}>
              <OperatorKits
                kits={person.kits}
                nameOf={(kitType) => person.panels.find((panel) => panel.kitType === kitType)?.name ?? kitType}
                empty={t('No kit is registered to this person.')}
              />
            </Section>
            <Reports reports={person.reports} />
            {isAdmin && <PersonAccesses businessID={business.id} customerID={person.id} />}
          </>
        }
        right={
          <>
            <Facts
              title={t('Person')}
              facts={[
                [t('E-mail'), person.email],
                [t('Registered by'), guardian && `${guardian.name} (${relationWord[guardian.relation]})`],
                [t('Their e-mail'), guardian?.email],
                [t('Born'), person.dateOfBirth && dayOf(person.dateOfBirth)],
                [t('Sex'), person.gender && sexLabels[person.gender]],
                [t("The business's ID"), person.external_id],
                [t('Added'), <RelativeDate key="date" value={person.createdDate} />],
              ]}
            />
            <Consents person={person} />
            {person.emails && <BriefEmails emails={person.emails} />}
          </>
        }
      />
    </>
  )
}

type PersonReport = OperatorPerson['reports'][number]

const columns: Column<PersonReport>[] = [
  {
    header: t('Report'),
    cell: ({ collectedDate }) => reportHeadline(undefined, collectedDate),
  },
  {
    header: t('Status'),
    cell: ({ status }) => <StatusDot tone={reportLabel(status).tone}>{reportLabel(status).label}</StatusDot>,
  },
  {
    header: t('Kit'),
    cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : t('Added results')),
    align: 'right',
    isMinor: true,
  },
]

/** Which reports there are and where they are. Who may review opens one to see its results, which is one more access. */
function Reports({ reports }: { reports: readonly PersonReport[] }) {
  const { isReviewer } = useOperatorRoles()
  return (
    <Section title={t('Reports')}>
      {reports.length === 0 ? (
        <Text c="dimmed">{t('A report is made when the laboratory sends results.')}</Text>
      ) : (
        <DataTable
          label={t('Reports')}
          rows={reports}
          columns={columns}
          rowKey={({ id }) => id}
          {...(isReviewer && { href: ({ id }: PersonReport) => `/operator/review/${id}` })}
          empty={{ title: t('No reports yet'), text: '' }}
        />
      )}
    </Section>
  )
}

function Consents({ person: { consents } }: { person: OperatorPerson }) {
  return (
    <Facts title={t('Consent')}>
      {consents.length === 0 && <Text c="dimmed">{t('None was recorded.')}</Text>}
      {consents.map((entry) => (
        <div key={JSON.stringify(entry)}>
          <Text size="xs" c="dimmed">
            {entry.type === 'agreed' ? t('Agreed') : t('Taken back')} <RelativeDate value={entry.at} /> · {entry.kitID}
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {entry.type === 'agreed' ? agreedText(entry) : entry.outcome && outcomes[entry.outcome]}
          </Text>
        </div>
      ))}
    </Facts>
  )
}
