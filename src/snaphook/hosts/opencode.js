// Snaphook for OpenCode and its forks: hands each hook to `snaphook hook HOST HOOK` and does what comes back.
//
// OpenCode has no command hooks, so this plugin is the command's other half. It fails closed before a
// tool runs and before a prompt is sent: if the program is missing, crashes, says nothing or takes too
// long, the call is refused with the reason. Everywhere else it fails open, with a word on stderr.
//
// Written by `snaphook init`; removed by `snaphook uninstall`. SNAPHOOK is replaced on the way.
import { spawn } from "node:child_process"

const COMMAND = /* SNAPHOOK */ ["snaphook", "hook"]
const HOST = /* HOST */ "opencode"
const SECONDS = { "session.idle": 600, "tool.execute.after": 60 }
const MAX_FOLLOW_UPS = 5

export const Snaphook = async ({ client, directory, worktree }) => {
  const sessions = new Map() // id -> { context, followUps, started, followingUp?, child? }
  const created = new Set()

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { context: "", followUps: 0, started: false })
    return sessions.get(id)
  }

  // Runs the program once and returns its answer; what went wrong is thrown.
  const ask = (hook, input, output) =>
    new Promise((resolve, reject) => {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), HOST, hook], {
        cwd: directory,
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      })
      let said = ""
      let complained = ""
      const seconds = SECONDS[hook] ?? 60
      const timer = setTimeout(() => {
        try {
          process.kill(-child.pid, "SIGKILL")
        } catch {}
        reject(new Error(`snaphook did not answer within ${seconds} s`))
      }, seconds * 1000)
      child.on("error", (problem) => {
        clearTimeout(timer)
        reject(new Error(`snaphook could not be started: ${problem.message}`))
      })
      child.stdout.on("data", (piece) => (said += piece))
      child.stderr.on("data", (piece) => (complained += piece))
      child.on("close", (code, signal) => {
        clearTimeout(timer)
        if (code !== 0) {
          const how = signal ? `was killed by ${signal}` : `exited with ${code}`
          return reject(new Error(complained.trim() || `snaphook ${how}`))
        }
        try {
          resolve(JSON.parse(said))
        } catch {
          reject(new Error(`snaphook gave no answer (${said.slice(0, 80)})`))
        }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ hook, directory, worktree, input, output }))
    })

  const tell = (note) => {
    if (note) client.app?.log?.({ body: { service: "snaphook", level: "info", message: note } })?.catch?.(() => {})
  }

  // Where nothing can be forbidden any more, a failure is told and passed by.
  const askOpen = async (hook, input, output) => {
    try {
      const answer = await ask(hook, input, output)
      tell(answer.note)
      return answer
    } catch (problem) {
      tell(`${hook}: ${problem.message}`)
      return {}
    }
  }

  const text = (parts) =>
    parts
      .filter((part) => part.type === "text" && !part.synthetic)
      .map((part) => part.text)
      .join("\n")

  const lastWords = async (id) => {
    try {
      const messages = (await client.session.messages({ path: { id } })).data ?? []
      const last = messages.filter((message) => message.info.role === "assistant").at(-1)
      return last ? text(last.parts) : ""
    } catch {
      return ""
    }
  }

  const goOn = async (id, reason) => {
    const known = session(id)
    if (known.followUps >= MAX_FOLLOW_UPS) return
    known.followUps += 1
    known.followingUp = true
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: reason }] } })
  }

  return {
    "chat.message": async (input, output) => {
      const known = session(input.sessionID)
      if (!known.started) {
        known.started = true
        const resumed = !created.has(input.sessionID)
        const answer = await askOpen("session.start", { sessionID: input.sessionID, resumed })
        known.context = answer.context ?? ""
      }
      if (known.followingUp) {
        known.followingUp = false // our own words, not a person's
        return
      }
      known.followUps = 0
      const answer = await ask("chat.message", { ...input, prompt: text(output.parts) })
      if (answer.deny) throw new Error(answer.deny)
      tell(answer.note)
      const first = output.parts.find((part) => part.type === "text" && !part.synthetic)
      if (!first) return
      if (answer.prompt !== undefined) first.text = answer.prompt
      if (answer.context) first.text += `\n\n${answer.context}`
    },

    "tool.execute.before": async (input, output) => {
      const answer = await ask("tool.execute.before", input, { args: output.args })
      if (answer.deny) throw new Error(answer.deny)
      tell(answer.note)
      if (answer.args) {
        // A new object would be ignored: the call is changed in place.
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.args)
      }
    },

    "tool.execute.after": async (input, output) => {
      const answer = await askOpen("tool.execute.after", input, {
        title: output.title,
        output: output.output,
        metadata: output.metadata,
      })
      if (answer.output !== undefined) output.output = answer.output
      if (answer.block) output.output = `${output.output}\n\n${answer.block}`
      if (answer.context) output.output = `${output.output}\n\n${answer.context}`
    },

    "experimental.chat.system.transform": async (input, output) => {
      const known = input.sessionID && sessions.get(input.sessionID)
      if (known?.context) output.system.push(known.context)
    },

    "experimental.session.compacting": async (input, output) => {
      const answer = await askOpen("session.compacting", input)
      if (answer.context) output.context.push(answer.context)
    },

    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      switch (event.type) {
        case "session.created":
          if (event.properties.info?.parentID) session(id).child = true
          created.add(id)
          return
        case "session.idle": {
          if (session(id).child) return
          const input = {
            sessionID: id,
            stop_hook_active: session(id).followUps > 0,
            last_assistant_message: await lastWords(id),
          }
          const answer = await askOpen("session.idle", input)
          if (answer.block) await goOn(id, answer.block)
          return
        }
        case "session.error":
          await askOpen("session.error", {
            sessionID: id,
            error: event.properties.error?.data?.message ?? event.properties.error?.name ?? "",
          })
          return
        case "permission.asked":
          await askOpen("permission.asked", {
            sessionID: id,
            message: `${event.properties.permission}: ${(event.properties.patterns ?? []).join(" ")}`,
          })
          return
        case "session.deleted":
          await askOpen("session.deleted", { sessionID: id })
          sessions.delete(id)
      }
    },
  }
}
