// Runs Squad's own pipeline over scenarios on stdin, one JSON array, and prints what it answers.
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';

const { HookPipeline } = await import(pathToFileURL(process.argv[2]));
console.warn = () => {};

const answers = [];
for (const { config, lockouts, before, after } of JSON.parse(await text(process.stdin))) {
  const pipeline = new HookPipeline(config);
  for (const [artifact, agent] of lockouts) pipeline.getReviewerLockout().lockout(artifact, agent);
  const pre = [];
  for (const call of before) pre.push(await pipeline.runPreToolHooks(call));
  const post = [];
  for (const ran of after) post.push(await pipeline.runPostToolHooks(ran));
  answers.push({ pre, post });
}
process.stdout.write(JSON.stringify(answers));
