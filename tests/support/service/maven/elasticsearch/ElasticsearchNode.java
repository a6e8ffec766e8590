import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One node on this machine: arguments are its home and its port; it ends with its input. */
public class ElasticsearchNode {
  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    Settings settings =
        Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("node.name", "test")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    Environment environment = new Environment(settings, home.resolve("config"));
    LogConfigurator.configureESLogging();
    LogConfigurator.configure(environment, true);
    PluginsLoader plugins =
        PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir(), false),
            Set.of(),
            Map.of(),
            false);
    try (Node node = new Node(environment, plugins)) {
      node.start();
      System.out.println("ready");
      while (System.in.read() >= 0) {}
    }
  }
}
