import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { saveFile } from '../../components/save-file.ts'
import { t } from '../../language/t.ts'

/** Shown once, when the first second factor is set up. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const save = () => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'kitlane-recovery-codes.txt')
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        {t(
          'Save these recovery codes. Each one signs you in once, with your password, if you do not have your device. They are shown only once.',
        )}
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} fz="md">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group>
        <Button variant="default" onClick={save}>
          {t('Save as a file')}
        </Button>
        <Button onClick={onDone}>{t('I have saved them')}</Button>
      </Group>
    </Stack>
  )
}
