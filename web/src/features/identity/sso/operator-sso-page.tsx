import { Title } from '@mantine/core'
import { useRead, useWrite } from '../../../api/hooks.ts'
import type { AnySsoConnection, OperatorSsoConnection } from '../../../api/operator-shapes.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { DataTable } from '../../../components/data-table.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import type { ConnectionBody } from './connection-draft.ts'
import { ConnectionList } from './connection-list.tsx'

type Role = OperatorSsoConnection['groupRoles'][number]['role']
const roles: readonly Role[] = ['operator-admin', 'fulfilment', 'lab', 'reviewer']
type Body = Omit<ConnectionBody, 'groupRoles'> & { groupRoles: { group: string; role: Role }[]; clientSecret: string }

/** How the staff sign in at the operator's own provider, and the domains that all sides claim. */
export function OperatorSsoPage() {
  const connections = useRead('/operator/v1/sso-connections')
  const create = useWrite('post', '/operator/v1/sso-connections')
  const change = useWrite('patch', '/operator/v1/sso-connections/{connectionID}')
  const remove = useWrite('delete', '/operator/v1/sso-connections/{connectionID}')
  const createToken = useWrite('post', '/operator/v1/sso-connections/{connectionID}/scim-token')
  const endToken = useWrite('delete', '/operator/v1/sso-connections/{connectionID}/scim-token')
  const params = (connectionID: string) => ({ path: { connectionID } })
  return (
    <>
      <PageHeader title={t('Single sign-on')} sentence={t('How the staff sign in at your own identity provider.')} />
      <ConnectionList
        connections={connections}
        roles={roles}
        create={(body) => create.mutateAsync({ body: body as Body })}
        save={(id, body) => change.mutateAsync({ params: params(id), body: body as Body })}
        remove={(id) => remove.mutateAsync({ params: params(id) })}
        provisioning={(id) => ({
          create: () => createToken.mutateAsync({ params: params(id) }),
          end: () => endToken.mutateAsync({ params: params(id) }),
        })}
      />
      <Domains />
    </>
  )
}

interface Claim {
  connection: AnySsoConnection
  domain: string
  verified: boolean
}

function Domains() {
  const all = useRead('/operator/v1/sso-domains')
  const rows = all.data?.flatMap((connection) => connection.domains.map((one): Claim => ({ connection, ...one })))
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        {t('Domains')}
      </Title>
      <DataTable
        label={t('Domains')}
        rows={rows}
        error={all.error}
        retry={() => void all.refetch()}
        rowKey={({ connection, domain }) => `${connection.id} ${domain}`}
        columns={[
          { header: t('Domain'), cell: ({ domain }) => domain },
          { header: t('Claimed by'), cell: ({ connection }) => connection.business?.name ?? t('The operator') },
          { header: t('Issuer'), cell: ({ connection }) => connection.issuer, isMinor: true },
          {
            header: t('Status'),
            cell: ({ verified }) => (
              <StatusDot tone={verified ? 'good' : 'fair'}>{verified ? t('Verified') : t('Waits')}</StatusDot>
            ),
          },
          { header: t('Actions'), cell: (claim) => <Verify claim={claim} />, align: 'right' },
        ]}
        empty={{
          title: t('No domains yet'),
          text: t(
            'When a business sets up single sign-on, its domains wait here until you know that they are its own.',
          ),
        }}
      />
    </>
  )
}

function Verify({ claim: { connection, domain, verified } }: { claim: Claim }) {
  const verify = useWrite('patch', '/operator/v1/sso-connections/{connectionID}/domains/{domain}')
  const owner = connection.business?.name ?? t('the operator')
  return (
    <ConfirmButton
      label={verified ? t('Take back') : t('Verify')}
      size="xs"
      sentence={
        verified
          ? t('People with an address of {domain} can no longer sign in with {name}.', {
              domain,
              name: connection.name,
            })
          : t(
              'Do this only if you know that {domain} belongs to {owner}. Its identity provider can then sign in anybody with such an address.',
              { domain, owner },
            )
      }
      action={() =>
        verify.mutateAsync({ params: { path: { connectionID: connection.id, domain } }, body: { verified: !verified } })
      }
      done={verified ? t('Taken back') : t('Verified')}
    />
  )
}
