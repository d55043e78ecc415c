using System;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Threading;
using Terrane.Native;

namespace Terrane
{
    /// <summary>A call failed; the object is as it was.</summary>
    public class TerraneException : Exception
    {
        public TerraneException(TrnResult result, string sentence, Exception inner = null) : base(sentence, inner)
        {
            Result = result;
        }

        /// <summary>Why, as C has it.</summary>
        public TrnResult Result { get; }
    }

    /// <summary>libterrane is missing, or of another version than this assembly.</summary>
    public sealed class TerraneLibraryException : TerraneException
    {
        public TerraneLibraryException(string sentence, Exception inner = null) : base(TrnResult.TRN_RESULT_NOT_FOUND, sentence, inner)
        {
        }
    }

    /// <summary>Two threads use a store at the same time, or a callback does what it may not.</summary>
    public sealed class TerraneThreadException : TerraneException
    {
        public TerraneThreadException(string sentence) : base(TrnResult.TRN_RESULT_BUSY, sentence)
        {
        }
    }

    /// <summary>A generator or listener threw InnerException in this call, or on a thread of the stream before it.</summary>
    public sealed class TerraneCallbackException : TerraneException
    {
        public TerraneCallbackException(Exception raised)
            : base((raised as TerraneException)?.Result ?? TrnResult.TRN_RESULT_BAD_ARGUMENT, "A callback threw: " + raised.Message, raised)
        {
        }
    }

    /// <summary>The library that is loaded.</summary>
    public static unsafe class Library
    {
        private static bool isChecked;

        /// <summary>The version of the library that is loaded, such as "0.3.0".</summary>
        public static string Version => Text(Lib.trn_version());

        /// <summary>Throws unless the library is there, and the one that this assembly describes. Every object is created after it.</summary>
        public static void Check()
        {
            if (Volatile.Read(ref isChecked))
            {
                return;
            }
            Check(Lib.Version, Lib.StructBytes);
            Volatile.Write(ref isChecked, true);
        }

        internal static void Check(string version, int[] bytes)
        {
            try
            {
                if (Version != version)
                {
                    throw new TerraneLibraryException($"libterrane is version {Version}; this assembly needs {version}.");
                }
                for (int i = 0; i < bytes.Length; i++)
                {
                    if ((int)Lib.trnx_struct_bytes((UIntPtr)(uint)i) != bytes[i])
                    {
                        throw new TerraneLibraryException(
                            $"libterrane has another {Lib.StructNames[i]}; it was built from other headers than this assembly.");
                    }
                }
            }
            catch (DllNotFoundException missing)
            {
                throw new TerraneLibraryException("libterrane was not found. Put it beside the program, or where the system looks for libraries.", missing);
            }
            catch (EntryPointNotFoundException other)
            {
                throw new TerraneLibraryException("This libterrane lacks a function; it is of another version.", other);
            }
        }

        internal static string Text(byte* chars)
        {
            int length = 0;
            while (chars[length] != 0)
            {
                length++;
            }
            return System.Text.Encoding.UTF8.GetString(chars, length);
        }

        /// <summary>An argument that may not be null.</summary>
        internal static T Argument<T>(T value, string name) where T : class => value ?? throw new ArgumentNullException(name);

        /// <summary>A text as C reads it: UTF-8 with a zero.</summary>
        internal static byte[] Chars(string text, string name)
        {
            Argument(text, name);
            if (text.IndexOf('\0') >= 0)
            {
                throw new TerraneException(TrnResult.TRN_RESULT_BAD_ARGUMENT, "A text has a zero in it.");
            }
            return System.Text.Encoding.UTF8.GetBytes(text + "\0");
        }

        internal static void Ok(TrnResult result)
        {
            if (result != TrnResult.TRN_RESULT_OK)
            {
                throw Failure(result, null);
            }
        }

        internal static TerraneException Failure(TrnResult result, string sentence)
        {
            return new TerraneException(result, string.IsNullOrEmpty(sentence) ? Text(Lib.trn_result_text(result)) : sentence);
        }
    }

    /// <summary>Marks what the library calls, for compilers that translate beforehand (Unity's IL2CPP looks for this name).</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type)
        {
        }
    }

    /// <summary>Who uses a store now. A second thread gets an exception instead of a race; the same one may call again, as listeners do.</summary>
    internal sealed class Writer
    {
        private const int Finalizer = -1;
        private readonly ConcurrentQueue<TerraneHandle> ended = new ConcurrentQueue<TerraneHandle>();
        private int owner; // a thread's id, 0, or Finalizer
        private int depth;
        [ThreadStatic] private static int generating;

        /// <summary>What a listener threw in the call that is under way.</summary>
        public Exception Raised;

        public int Depth => depth;

        public void Enter()
        {
            int id = Thread.CurrentThread.ManagedThreadId;
            if (generating > 0)
            {
                throw new TerraneThreadException("A generator cannot use a store.");
            }
            if (Volatile.Read(ref owner) == id)
            {
                depth++;
                return;
            }
            int before;
            while ((before = Interlocked.CompareExchange(ref owner, id, 0)) != 0)
            {
                if (before != Finalizer)
                {
                    throw new TerraneThreadException(
                        "Another thread is using this store. One thread at a time may; others read with a Reader.");
                }
                Thread.Yield(); // the garbage collector frees something of this store
            }
            depth = 1;
        }

        public void Exit()
        {
            if (depth == 1)
            {
                Drain();
            }
            if (--depth == 0)
            {
                Volatile.Write(ref owner, 0);
            }
        }

        /// <summary>Exit(), and throws what a callback threw.</summary>
        public void ExitAndThrow()
        {
            Exception raised = depth == 1 ? Raised : null;
            Raised = depth == 1 ? null : Raised;
            Exit();
            if (raised != null)
            {
                throw new TerraneCallbackException(raised);
            }
        }

        /// <summary>Frees a handle now, or after the call that is under way.</summary>
        public void Free(TerraneHandle handle)
        {
            if (Volatile.Read(ref owner) == Thread.CurrentThread.ManagedThreadId && depth == 1)
            {
                handle.Free();
                return;
            }
            ended.Enqueue(handle);
            if (Interlocked.CompareExchange(ref owner, Finalizer, 0) == 0)
            {
                Drain();
                Volatile.Write(ref owner, 0);
            }
        }

        private void Drain()
        {
            while (ended.TryDequeue(out TerraneHandle handle))
            {
                handle.Free();
            }
        }

        /// <summary>Between these two, this thread may not use a store.</summary>
        public static void BeginGenerating()
        {
            generating++;
        }

        public static void EndGenerating()
        {
            generating--;
        }
    }

    /// <summary>An object of the library. It lives until its owner and all that depends on it have released it.</summary>
    internal class TerraneHandle : SafeHandle
    {
        private readonly TerraneHandle[] parents;
        private readonly Writer writer;
        private Action<IntPtr> destroy;
        private GCHandle callbacks;

        public TerraneHandle(IntPtr pointer, Action<IntPtr> destroy, Writer writer = null, params TerraneHandle[] parents) : base(IntPtr.Zero, true)
        {
            this.destroy = destroy;
            this.writer = writer;
            this.parents = parents;
            foreach (TerraneHandle parent in parents)
            {
                bool isAdded = false;
                parent.DangerousAddRef(ref isAdded);
            }
            SetHandle(pointer);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>What the library's callbacks find; freed when it calls no more.</summary>
        public void Keep(GCHandle kept)
        {
            callbacks = kept;
        }

        /// <summary>The object has ended in another way.</summary>
        public void Forget()
        {
            destroy = null;
        }

        protected override bool ReleaseHandle()
        {
            if (writer == null)
            {
                Free();
            }
            else
            {
                writer.Free(this);
            }
            return true;
        }

        internal void Free()
        {
            destroy?.Invoke(handle);
            if (callbacks.IsAllocated)
            {
                callbacks.Free();
            }
            foreach (TerraneHandle parent in parents)
            {
                parent.DangerousRelease();
            }
        }
    }

    /// <summary>What ends with Dispose().</summary>
    public abstract class TerraneObject : IDisposable
    {
        internal TerraneHandle Handle;
        internal Writer Writer; // null: its functions may be called by any number of threads
        private volatile bool isDisposed; // by its user; what depends on it may still keep the handle open

        /// <summary>The pointer, inside Writer or between Use() and Unuse().</summary>
        internal IntPtr Pointer
        {
            get
            {
                if (isDisposed || Handle == null || Handle.IsClosed)
                {
                    throw new ObjectDisposedException(GetType().Name);
                }
                return Handle.DangerousGetHandle();
            }
        }

        /// <summary>Keeps the object for a call, while another thread may dispose it.</summary>
        internal IntPtr Use()
        {
            IntPtr pointer = Pointer;
            bool isAdded = false;
            Handle.DangerousAddRef(ref isAdded); // throws ObjectDisposedException
            return pointer;
        }

        internal void Unuse()
        {
            Handle.DangerousRelease();
        }

        /// <summary>
        /// Ends the object for its user. The library frees it when nothing depends on it any more: streams, batches and readers of a store go on
        /// working until they are disposed.
        /// </summary>
        public void Dispose()
        {
            if (isDisposed || Handle == null || Handle.IsClosed)
            {
                return;
            }
            Writer?.Enter();
            try
            {
                if (Writer != null && Writer.Depth > 1)
                {
                    throw new TerraneThreadException($"A callback cannot dispose the {GetType().Name} that calls it.");
                }
                isDisposed = true;
                Handle.Dispose();
            }
            finally
            {
                Writer?.Exit();
            }
        }
    }
}
