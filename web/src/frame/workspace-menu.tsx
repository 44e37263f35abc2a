import { Button, ColorSwatch, Menu, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Membership } from '../api/shapes.ts'
import { useMaybeRealm } from '../app/realm.tsx'
import { isOperator, useSession } from '../app/session.tsx'
import { Icon } from '../components/icon.tsx'
import { t } from '../language/t.ts'

/** Switches between businesses and the operator. With one membership it shows only the name; `label` is for pages of neither. */
export function WorkspaceMenu({ label }: { label?: string }) {
  const { memberships } = useSession()
  const realm = useMaybeRealm()
  const businesses = memberships.flatMap(({ business }) => business ?? [])
  const here = businesses.find(({ id }) => id === realm?.businessID)
  const name = label ?? (realm ? (here?.name ?? t('Business {id}', { id: realm.businessID })) : t('Operator'))
  if (!label && memberships.length < 2 && (here !== undefined || realm === undefined))
    return <Text fw={600}>{name}</Text>
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" c="inherit" px="xs" rightSection={<Icon name="down" size={14} />}>
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {memberships.some(isOperator) && (
          <Menu.Item component={Link} to="/operator" leftSection={<Icon name="pack" />}>
            {t('Operator')}
          </Menu.Item>
        )}
        {memberships.map((membership) => (
          <BusinessItem key={membership.business?.id ?? membership.role} membership={membership} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function BusinessItem({ membership: { business } }: { membership: Membership }) {
  if (business === undefined) return null
  return (
    <Menu.Item
      component={Link}
      to={`/b/${business.id}/live`}
      leftSection={<ColorSwatch color={business.brandColor ?? '#2f5d8a'} size={14} />}
    >
      {business.name}
    </Menu.Item>
  )
}
