import { ActionIcon, Checkbox, Popover, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'

/** The headers of the columns of a list that this browser hides. */
export const useHiddenColumns = (list: string) =>
  useLocalStorage<string[]>({ key: `kitlane.columns.${list}`, defaultValue: [], getInitialValueInEffect: false })

interface ChooseColumnsProps {
  list: string
  /** Of the columns that may be hidden. */
  headers: readonly string[]
}

/** Which columns of a list this browser shows. */
export function ChooseColumns({ list, headers }: ChooseColumnsProps) {
  const [hidden, setHidden] = useHiddenColumns(list)
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('Choose columns')}>
          <Icon name="columns" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <Stack gap="xs">
          {headers.map((header) => (
            <Checkbox
              key={header}
              size="xs"
              label={header}
              checked={!hidden.includes(header)}
              onChange={({ currentTarget: { checked } }) =>
                setHidden(checked ? hidden.filter((one) => one !== header) : [...hidden, header])
              }
            />
          ))}
          <Text size="xs" c="dimmed" maw={180}>
            {t('For this list in this browser. A CSV has all columns.')}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The columns of a CSV that say what the list shows now. */
export function useShownInCsv(
  list: string,
  columns: readonly { header: string; isFixed?: boolean; csv?: readonly string[] }[],
): string[] {
  const [hidden] = useHiddenColumns(list)
  return columns
    .filter(({ header, isFixed }, index) => index === 0 || isFixed || !hidden.includes(header))
    .flatMap(({ csv }) => csv ?? [])
}
