// An agent that builds with Pensaer, on the AI SDK: MODEL=provider/name node examples/agent.ts "A house of 9 by 7 m with a gable roof."
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
import { type LanguageModel, generateText, stepCountIs } from "ai";

export async function build(wish: string, model: LanguageModel): Promise<string> {
  const pensaer = await createMCPClient({
    transport: new Stdio({ command: process.env.PENSAER ?? "pensaer", args: ["mcp"], env: process.env as Record<string, string> }),
  });
  try {
    const system = "Build what is asked for with the tools. Say the model's name and version at the end.";
    const { text } = await generateText({ model, system, prompt: wish, tools: await pensaer.tools(), stopWhen: stepCountIs(30) });
    return text;
  } finally {
    await pensaer.close();
  }
}

if (import.meta.main) console.log(await build(process.argv[2] ?? "", process.env.MODEL ?? ""));
