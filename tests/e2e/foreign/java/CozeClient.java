import com.coze.openapi.client.chat.CreateChatReq;
import com.coze.openapi.client.chat.RetrieveChatReq;
import com.coze.openapi.client.chat.SubmitToolOutputsReq;
import com.coze.openapi.client.chat.message.ListMessageReq;
import com.coze.openapi.client.chat.model.Chat;
import com.coze.openapi.client.chat.model.ChatEvent;
import com.coze.openapi.client.chat.model.ChatEventType;
import com.coze.openapi.client.chat.model.ChatStatus;
import com.coze.openapi.client.chat.model.ToolOutput;
import com.coze.openapi.client.connversations.message.model.Message;
import com.coze.openapi.client.connversations.message.model.MessageType;
import com.coze.openapi.client.files.RetrieveFileReq;
import com.coze.openapi.client.files.UploadFileReq;
import com.coze.openapi.client.workflows.run.RunWorkflowReq;
import com.coze.openapi.service.auth.TokenAuth;
import com.coze.openapi.service.service.CozeAPI;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reactivex.Flowable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Coze's own library: chats whole and streamed, tools of the client, workflows, files. */
public class CozeClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> GIVEN = System.getenv();
  private static final String AGENT = GIVEN.get("COTERIE_AGENT");
  private static final String TOOL_AGENT = GIVEN.get("COTERIE_TOOL_AGENT");
  private static final String QUESTION = "How often is the oil changed?";
  private static final String WEATHER = "What is the weather in Oslo?";
  private static final CozeAPI CLIENT =
      new CozeAPI.Builder()
          .baseURL(GIVEN.get("COTERIE_BASE_URL"))
          .auth(new TokenAuth(GIVEN.get("COTERIE_TOKEN")))
          .readTimeout(60_000)
          .build();

  private record Read(String text, Chat chat) {}

  private static CreateChatReq asked(String agent, String text) {
    return CreateChatReq.builder()
        .botID(agent)
        .userID("ada")
        .messages(List.of(Message.buildUserQuestionText(text)))
        .build();
  }

  private static Read read(Flowable<ChatEvent> stream) {
    var text = new StringBuilder();
    Chat chat = null;
    for (var event : stream.blockingIterable()) {
      if (ChatEventType.CONVERSATION_MESSAGE_DELTA.equals(event.getEvent())) {
        text.append(event.getMessage().getContent());
      }
      if (event.getChat() != null) {
        chat = event.getChat();
      }
    }
    return new Read(text.toString(), chat);
  }

  private static SubmitToolOutputsReq outputs(Chat chat) throws Exception {
    var call = chat.getRequiredAction().getSubmitToolOutputs().getToolCalls().get(0);
    var city = JSON.readTree(call.getFunction().getArguments()).get("city").asText();
    return SubmitToolOutputsReq.builder()
        .conversationID(chat.getConversationID())
        .chatID(chat.getID())
        .toolOutputs(List.of(ToolOutput.of(call.getID(), "Sunny in " + city)))
        .build();
  }

  private static String answer(List<Message> messages) {
    return messages.stream()
        .filter(message -> MessageType.ANSWER.equals(message.getType()))
        .reduce((first, second) -> second)
        .orElseThrow()
        .getContent();
  }

  private static Chat retrieved(Chat chat) {
    return CLIENT
        .chat()
        .retrieve(RetrieveChatReq.of(chat.getConversationID(), chat.getID()))
        .getChat();
  }

  private static String toolWhole() throws Exception {
    var chat = CLIENT.chat().create(asked(TOOL_AGENT, WEATHER)).getChat();
    while (!ChatStatus.REQUIRES_ACTION.equals((chat = retrieved(chat)).getStatus())) {
      Thread.sleep(100);
    }
    CLIENT.chat().submitToolOutputs(outputs(chat));
    while (!ChatStatus.COMPLETED.equals((chat = retrieved(chat)).getStatus())) {
      Thread.sleep(100);
    }
    var asked = ListMessageReq.of(chat.getConversationID(), chat.getID());
    return answer(CLIENT.chat().message().list(asked).getMessages());
  }

  private static String toolStreamed() throws Exception {
    var waiting = read(CLIENT.chat().stream(asked(TOOL_AGENT, WEATHER))).chat();
    return read(CLIENT.chat().streamSubmitToolOutputs(outputs(waiting))).text();
  }

  private static Object workflow() throws Exception {
    var asked =
        RunWorkflowReq.builder()
            .workflowID(GIVEN.get("COTERIE_WORKFLOW"))
            .parameters(Map.of("input", "spring"))
            .build();
    return JSON.readTree(CLIENT.workflows().runs().create(asked).getData());
  }

  private static String file() {
    var made = CLIENT.files().upload(UploadFileReq.of("pumps.txt", "Pumps run on oil.".getBytes()));
    return CLIENT.files().retrieve(RetrieveFileReq.of(made.getFileInfo().getID())).getFileInfo().getFileName();
  }

  public static void main(String[] args) throws Exception {
    var tasks = new LinkedHashMap<String, Callable<Object>>();
    tasks.put(
        "coze/answer",
        () -> answer(CLIENT.chat().createAndPoll(asked(AGENT, QUESTION)).getMessages()));
    tasks.put("coze/answer streamed", () -> read(CLIENT.chat().stream(asked(AGENT, QUESTION))).text());
    tasks.put("coze/tool", CozeClient::toolWhole);
    tasks.put("coze/tool streamed", CozeClient::toolStreamed);
    tasks.put("coze/workflow", CozeClient::workflow);
    tasks.put("coze/file", CozeClient::file);
    for (var task : tasks.entrySet()) {
      Map<String, Object> line;
      try {
        line = Map.of("task", task.getKey(), "result", task.getValue().call());
      } catch (Exception e) {
        line = Map.of("task", task.getKey(), "error", String.valueOf(e));
      }
      System.out.println(JSON.writeValueAsString(line));
    }
    CLIENT.shutdownExecutor();
  }
}
